/** Where a user corrected something, the newer fact holds: what it replaced is not kept as if it still did. Pure. */
import { type ExactString, exactStrings, tokensIn } from './exact-strings';
import type { Sentence } from './scan';

export interface Correction {
  readonly seq: number;
  readonly sentence: Sentence;
}

interface ReadCorrection {
  readonly seq: number;
  readonly text: string;
  /** Exact strings that it names as no longer valid. */
  readonly old: ReadonlySet<string>;
  /** Exact strings that hold now. */
  readonly fresh: readonly ExactString[];
  readonly words: ReadonlySet<string>;
}

/** What is said to hold no longer, in its first group. */
const OLD: readonly RegExp[] = [
  /\b(?:not|no longer|rather than|instead of)\s+(.{1,80}?)(?=\s+but\b|[,;!]|\.(?:\s|$)|\s+(?:is|are|we|use)\b|$)/gi,
  /\b(?:from)\s+(.{1,60}?)\s+(?:to|until)\b/gi,
  /\b(?:nicht(?: mehr)?|statt|anstatt|anstelle von)\s+(.{1,80}?)(?=,?\s+sondern\b|[,;!]|\.(?:\s|$)|\s+(?:ist|sind|nehmen)\b|$)/gi,
  /\bvo[nm]\s+(.{1,60}?)\s+(?:auf|zu|nach)\b/gi,
  /(?:不再是|而不是|不是|代替)(.{1,40}?)(?=[，,；。！]|而是|$)/g,
  /[从由](.{1,40}?)(?:改为|改成|改到|推迟到|提前到|变成|调整为|换成)/g,
  /把(.{1,40}?)(?:改为|改成|换成)/g,
];

/** Words that say nothing about what a sentence is about. */
const EMPTY = new Set(
  'that this with from have been will would should could there their them then than what when where which while about into over after before because also just only very more most some such your ours mine they were does doing done make made please never always must need want know think again still here actually sorry correction instead rather changed change moved meant dass diese dieser dieses nicht sondern statt eine einen einem einer sich sind wird werden wurde haben hatte noch auch aber oder wenn dann denn weil bitte immer niemals muss müssen jetzt doch eigentlich korrektur geändert verschoben meinte unser unsere'.split(
    ' ',
  ),
);

/** Words that two sentences on one subject share: stems of words of four letters or more, pairs of Chinese characters. */
function subjectWords(text: string, exact: readonly ExactString[]): Set<string> {
  let rest = text;
  for (const one of exact) rest = rest.replace(one.text, ' ');
  const words = new Set<string>();
  for (const [word] of rest.toLowerCase().matchAll(/[\p{Script=Latin}]{4,}/gu))
    if (!EMPTY.has(word)) words.add(word.slice(0, 6));
  for (const [run] of rest.matchAll(/\p{Script=Han}{2,}/gu))
    for (let i = 0; i + 1 < run.length; i++) if (!NO_SUBJECT.test(run.slice(i, i + 2))) words.add(run.slice(i, i + 2));
  return words;
}
const NO_SUBJECT = /[是的了不改为成而更正应该我们说错现在请，]/;

export class Corrections {
  readonly #corrections: readonly ReadCorrection[];

  constructor(corrections: readonly Correction[]) {
    this.#corrections = corrections.map(read);
  }

  /** Exact strings of a sentence that another sentence, a correction, made invalid. */
  replacedIn(sentence: Sentence, seq: number): ReadonlySet<string> {
    if (this.#corrections.length === 0) return NOTHING;
    const exact = exactStrings(sentence);
    if (exact.length === 0) return NOTHING;
    const words = subjectWords(sentence.text, exact);
    const replaced = new Set<string>();
    for (const correction of this.#corrections) {
      if (correction.text === sentence.text) continue;
      const shared = sharedWords(words, correction.words);
      const fresh = new Set(correction.fresh.map((one) => one.text));
      for (const one of exact) {
        if (fresh.has(one.text)) continue;
        if (correction.old.has(one.text)) {
          const restates = exact.some((other) => fresh.has(other.text));
          if (restates || (correction.seq > seq && (shared > 0 || correction.words.size === 0))) replaced.add(one.text);
        } else if (correction.seq > seq && correction.old.size === 0 && sameSubject(shared, correction.words.size))
          if (correction.fresh.some((other) => shapeOf(other) === shapeOf(one))) replaced.add(one.text);
      }
    }
    return replaced;
  }
}

/** Exact strings that the sentence itself, a correction, names as no longer valid. */
export function namedAsOld(sentence: Sentence): ReadonlySet<string> {
  const old = new Set<string>();
  for (const pattern of OLD)
    for (const match of sentence.text.matchAll(pattern)) for (const one of tokensIn(match[1] ?? '')) old.add(one.text);
  // "from 3 to 5": where all would be old, nothing is known to be
  return exactStrings(sentence).every((one) => old.has(one.text)) ? NOTHING : old;
}

const NOTHING: ReadonlySet<string> = new Set();

function read({ seq, sentence }: Correction): ReadCorrection {
  const all = exactStrings(sentence);
  const old = namedAsOld(sentence);
  return {
    seq,
    text: sentence.text,
    old,
    fresh: all.filter((one) => !old.has(one.text)),
    words: subjectWords(sentence.text, all),
  };
}

function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of b) if (a.has(word)) shared++;
  return shared;
}
/** Half of what a correction is about, and at least two words of it where it has them. */
const sameSubject = (shared: number, words: number) => words > 0 && shared >= Math.max(Math.min(2, words), words / 2);

/** Values of one shape can stand for each other: 3 days and 5 days, two dates, two times. */
function shapeOf({ kind, text }: ExactString): string {
  if (kind === 'number') return `number ${text.replace(/\d[\d.,]*/g, '0').replace(/s$/, '')}`;
  if (kind !== 'date') return kind;
  if (/\d:\d|Uhr|[ap]\.?m\b|点/.test(text)) return 'time';
  return /\d/.test(text) ? 'day' : 'weekday';
}
