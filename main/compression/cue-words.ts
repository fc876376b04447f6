/**
 * Words that let a sentence stand out, in English, German and Chinese. A word only marks its sentence; whether the
 * sentence is what the word promises is decided by the patterns of `cues`.
 */
import { MARK } from './marks';
import { hashOf } from './word-hash';

const WORDS: readonly (readonly [number, string])[] = [
  [
    MARK.rule,
    'never always must mustn don not only under no ensure remember shall should may can sure avoid without nie niemals immer muss müssen musst müsst darf dürfen darfst dürft nur kein keine keinen keinem keinesfalls soll sollen sollst unbedingt stets ausschließlich nicht has have need needs forbidden',
  ],
  [
    MARK.correction,
    'no correction actually sorry meant mean instead not rather longer changed change moved now wrong mistake update updated nein korrektur eigentlich meinte statt anstatt sondern doch geändert verschoben jetzt falsch irrtum neu tatsächlich wait misspoke scratch postponed moment sofort geirrt vertan verrechnet verschrieben vertippt',
  ],
  [
    MARK.goal,
    'want need like goal aim help please could can möchte möchten will wollen brauche brauchen ziel bitte hilf hilfst kannst könntest',
  ],
  [
    MARK.decision,
    'decide decided decision agree agreed will let ll go going chose chosen choose settled picked entscheiden entschieden entscheidung beschlossen nehmen nutzen verwenden abgemacht einigten geeinigt vereinbart festgelegt bleiben',
  ],
  [
    MARK.open,
    'todo do open yet still unclear remain remains remaining pending undecided missing noch offen offene offener offenen unklar ausstehend ausstehende fehlt',
  ],
  [
    MARK.state,
    'done finished fixed deployed released merged works working implemented passed complete completed installed running through place fertig erledigt läuft behoben abgeschlossen umgesetzt installiert funktioniert',
  ],
  [
    MARK.failure,
    'failed fails fail attempt attempted work works worked help helped helps tried luck unsuccessful vain broke crashed abandoned fehlgeschlagen gescheitert funktioniert funktionierte geholfen hilft versucht vergeblich brachte gebracht verworfen',
  ],
  [MARK.name, 'mr mrs ms dr prof herr herrn frau firma'],
  [
    MARK.calendar,
    'january february march april may june july august september october november december januar februar märz mai juni juli oktober dezember jan feb mar apr jun jul aug sep sept oct okt nov dec dez monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag',
  ],
];

/** Slots of the table of words: a power of two, several times their number. */
const SLOTS = 2_048;
const hashes = new Int32Array(SLOTS);
const marks = new Int32Array(SLOTS);
for (const [mark, words] of WORDS)
  for (const word of words.split(' ')) {
    const hash = hashOf(word);
    let slot = hash & (SLOTS - 1);
    while (marks[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
    hashes[slot] = hash;
    marks[slot] = (marks[slot] ?? 0) | mark;
  }

/** The bits that a word sets, by its hash: asked for every word of a session, so it is a table of numbers. */
export function cueOf(hash: number): number {
  let slot = hash & (SLOTS - 1);
  while (marks[slot] !== 0) {
    if (hashes[slot] === hash) return marks[slot] ?? 0;
    slot = (slot + 1) & (SLOTS - 1);
  }
  return 0;
}

const CHARS: readonly (readonly [number, string])[] = [
  [MARK.rule, '绝不必总只禁务别勿须得永始律'],
  [MARK.correction, '更不改应错正是推提换调歉'],
  [MARK.goal, '我目请帮想要'],
  [MARK.decision, '决采选定确用'],
  [MARK.open, '待尚还未没'],
  [MARK.state, '完已修成搞线'],
  [MARK.failure, '失没行试无败管'],
];

/** By the code of a Chinese character: the bits that it sets. */
export const CUE_CHARS: ReadonlyMap<number, number> = CHARS.reduce((map, [mark, chars]) => {
  for (const char of chars) map.set(char.charCodeAt(0), (map.get(char.charCodeAt(0)) ?? 0) | mark);
  return map;
}, new Map<number, number>());
