/** What to look for in covered messages, from a question in any language. Pure. */
import { isCjk } from '../lib/char-counts';

export interface RecallTerm {
  /** Folded. A CJK term is two characters, or one that stands alone. */
  readonly text: string;
  /**
   * `stem` = the beginning of a word, whatever its ending is: found where the word itself is not, and worth less.
   * `joined` = a number, name or path with marks inside (4.3, wal_log, /srv/data): found only as a whole.
   */
  readonly kind: 'word' | 'stem' | 'cjk' | 'joined';
  /** Number of the question's word it comes from: a word and its stem are one thing that was asked about. */
  readonly of: number;
}

/** Words that say what kind of question it is, not what it is about: English, German, Spanish. */
const EMPTY_WORDS = new Set(
  `a about after again all also am an and any are as at be been before but by can could did do does doing done for from
  get give got had has have he her here him his how i if in into is it its just let like me might more most must my no
  not of on or our out over please say said same she should so some such tell than that the their them then there these
  they this those to too up us use used very want was we were what when where which who why will with would you your
  remember mentioned earlier again exactly called know
  aber als am an auch auf aus bei bin bis bitte da damit dann das dass dein dem den denn der des die dies diese dieser
  doch du ein eine einem einen einer eines er es euch fur gab gibt hab habe haben hast hat hatte hatten ich ihr ihre im
  immer in ist ja kann kannst konnen lautet machen man mehr mein meine mich mir mit nach nein nicht noch nun nur ob oder
  sag sagen schon sein seine sich sie sind so soll sollen uber um und uns unser vom von vor wann war waren warum was weil wem wen wenn
  wer werden wessen wie wieder wir wird wo wurde wurden zu zum zur gesagt nochmal heisst hiess welche welcher welches welchen eigentlich viel viele
  al algo como con cual cuando de del donde el ella en era es esa ese esta este esto fue ha hay la las lo los mas me mi
  muy no nos o para pero por porque que quien se si sin sobre son su sus te tu un una uno y ya`.split(/\s+/),
);
/** Characters of which questions and sentences are made in Chinese, and the commonest kana. */
const EMPTY_CHARS = new Set(
  '的了吗呢吧是在我你他她它们这那哪什么多少怎样谁和与就也都还有没不把被给对从到要会能可以请问说过一个为之其个何时はがのをにでとへもやかだでしたますです。、',
);

const LONGEST_QUESTION = 4_000;
const MOST_TERMS = 48;

/** As the index folds its words: lower case, Latin letters without marks; the marks of other scripts tell letters apart. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, '')
    .normalize('NFC')
    .toLowerCase();
}
/** The index keeps ß. Who has no such key writes ss: the same word once a message is read. */
const alike = (text: string) => text.replaceAll('ß', 'ss');

/** Terms of a question in the order in which they stand; of a very long one its beginning and end. */
export function recallTerms(question: string): RecallTerm[] {
  const half = LONGEST_QUESTION / 2;
  const text = question.length <= LONGEST_QUESTION ? question : `${question.slice(0, half)}\n${question.slice(-half)}`;
  const terms = new Map<string, RecallTerm>();
  let of = 0;
  const add = (forms: readonly Form[]) => {
    of++;
    for (const form of forms) if (!terms.has(form.text)) terms.set(form.text, { ...form, of });
  };
  for (const [whole] of text.matchAll(/[\p{L}\p{N}\p{M}]+(?:[._:/@-][\p{L}\p{N}\p{M}]+)*/gu)) {
    const runs = whole.split(/[._:/@-]/);
    if (runs.length > 1) add([{ text: folded(whole), kind: 'joined' }]);
    for (const run of runs)
      for (const part of scripts(run)) {
        if (part.cjk) for (const pair of pairs(folded(part.text))) add(pair);
        // the digits of 4.3 say nothing by themselves
        else if (runs.length === 1 || part.text.length > 2) add(formsOf(part.text));
      }
  }
  const all = [...terms.values()];
  // what is asked may stand at the end, behind what it is about
  return all.length <= MOST_TERMS ? all : [...all.slice(0, MOST_TERMS / 2), ...all.slice(-MOST_TERMS / 2)];
}

type Form = Omit<RecallTerm, 'of'>;

function scripts(run: string): { readonly text: string; readonly cjk: boolean }[] {
  const out: { text: string; cjk: boolean }[] = [];
  for (const char of run) {
    const cjk = isCjk(char.charCodeAt(0));
    const last = out.at(-1);
    if (last?.cjk === cjk) last.text += char;
    else out.push({ text: char, cjk });
  }
  return out;
}

function pairs(run: string): Form[][] {
  const chars = [...run];
  if (chars.length === 1) return EMPTY_CHARS.has(run) ? [] : [[{ text: run, kind: 'cjk' }]];
  return chars.slice(1).flatMap((char, i): Form[][] => {
    const before = chars[i] ?? '';
    return EMPTY_CHARS.has(before) || EMPTY_CHARS.has(char) ? [] : [[{ text: before + char, kind: 'cjk' }]];
  });
}

/** A word, and its stem where it is long enough to have endings. */
function formsOf(word: string): Form[] {
  const text = folded(word);
  if (EMPTY_WORDS.has(alike(text))) return [];
  if (text.length < 3 && !/\p{N}/u.test(text)) return [];
  if (text.length < 5 || /\p{N}/u.test(text)) return [{ text, kind: 'word' }];
  return [
    { text, kind: 'word' },
    { text: text.slice(0, text.length < 7 ? -1 : -2), kind: 'stem' },
  ];
}

/** The FTS5 expression of one term. */
export function termExpression({ text, kind }: Form): string {
  if (kind === 'cjk') return `"${[...text].join(' ')}"`;
  return kind === 'stem' ? `"${text}"*` : `"${text}"`;
}

function holdsWhole(text: string, wanted: string): boolean {
  const inside = /[\p{L}\p{N}]/u;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (!inside.test(text[at - 1] ?? '') && !inside.test(text[at + wanted.length] ?? '')) return true;
  return false;
}

/** Tells whether a text holds a term; the text is folded and cut into words once. */
export function holder(text: string): (term: RecallTerm) => boolean {
  const plain = alike(folded(text));
  const known = new Set(plain.split(/[^\p{L}\p{N}\p{M}]+/u));
  const list = [...known];
  return ({ text: term, kind }) => {
    const wanted = alike(term);
    if (kind === 'joined') return holdsWhole(plain, wanted);
    if (kind === 'cjk') return plain.includes(wanted);
    return kind === 'word' ? known.has(wanted) : list.some((word) => word.startsWith(wanted));
  };
}
