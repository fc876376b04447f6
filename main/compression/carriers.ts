/** The words around an anchor: "42 min" says little, "the copy takes 42 min" says it all. Pure. */
import { type Anchor, cueKind } from './anchors';
import { isCorrection } from './cues';
import { indexOfExact, occursIn, tokensIn } from './exact-strings';
import { MARK } from './marks';
import { type Corrections, namedAsOld } from './newer-wins';
import { type ReadMessage, readMessage, type SourceMessage } from './read-message';
import type { Sentence } from './scan';

export interface PlacedAnchor extends Anchor {
  /** What is put back for it, word for word from the message: its sentence, or the part of it around the anchor. */
  readonly line: string;
}

/** Units up to which a sentence is taken whole, a CJK character counting twice: more where it holds more anchors. */
const WHOLE = { bare: 36, each: 30, most: 156 } as const;
/** Units around the anchor of a longer one, and how many of them may stand before it. */
const AROUND = 54;
const BEFORE = 46;

const CLAUSE = /[,;:，；：、–—]/;
/** Half a link or bracket at the ends of a cut. */
const DANGLING = /^[\])*_\s]+|\s*[[(*_]+$/g;

/**
 * Finds each anchor's line. One whose value a correction replaced is left out. What nobody typed stands without its
 * sentence where that gives an order: no instruction of a tool or an answer is carried along.
 */
export function placeAnchors(
  anchors: readonly Anchor[],
  originalAt: (seq: number) => SourceMessage | null,
  corrections: Corrections,
): PlacedAnchor[] {
  const read = new Map<number, ReadMessage | null>();
  const readAt = (seq: number) => {
    if (!read.has(seq)) {
      const original = originalAt(seq);
      read.set(seq, original && readMessage(original));
    }
    return read.get(seq) ?? null;
  };
  return anchors.flatMap((anchor) => {
    let found = false;
    for (const seq of [anchor.seq, ...anchor.earlier])
      for (const { origin, sentences } of readAt(seq)?.parts ?? [])
        for (const sentence of sentences) {
          if (!occursIn(sentence.text, anchor.text)) continue;
          found = true;
          if (!holds(anchor, sentence, seq, corrections)) continue;
          const orders = origin !== 'typed' && cueKind(sentence) !== null;
          // a row of a table, a line of code or one that only leads to the next says little beyond the string
          const bare = orders || (sentence.marks & MARK.code) !== 0 || /[:：]$/.test(sentence.text);
          return [{ ...anchor, seq, line: bare ? anchor.text : lineAround(sentence.text, anchor.text) }];
        }
    // a string that no sentence holds as such stands in more than one line
    return found ? [] : [{ ...anchor, line: anchor.text }];
  });
}

/** False where the sentence says something that a correction replaced. */
function holds(anchor: Anchor, sentence: Sentence, seq: number, corrections: Corrections): boolean {
  const replaced = corrections.replacedIn(sentence, seq);
  if (anchor.kind === 'rule' || anchor.kind === 'correction') return replaced.size === 0;
  return !replaced.has(anchor.text) && !(isCorrection(sentence) && namedAsOld(sentence).has(anchor.text));
}

/** The sentence that holds it, or of a long one the words around: up to a clause's bound where near, else a word's. */
export function lineAround(sentence: string, anchor: string): string {
  const anchors = tokensIn(sentence).length;
  if (widthOf(sentence) <= Math.min(WHOLE.most, WHOLE.bare + WHOLE.each * Math.max(1, anchors))) return sentence;
  const at = indexOfExact(sentence, anchor);
  const start = startBefore(sentence, at);
  const rest = AROUND - widthOf(sentence.slice(start, at));
  return sentence.slice(start, endAfter(sentence, at + anchor.length, rest)).replace(DANGLING, '');
}

const isWide = (text: string, at: number) => text.charCodeAt(at) >= 0x2e80;
const widthOf = (text: string) => {
  let width = text.length;
  for (let i = 0; i < text.length; i++) if (isWide(text, i)) width++;
  return width;
};

/** The beginning, else the first clause that begins near enough, else the first word. */
function startBefore(text: string, at: number): number {
  let width = 0;
  let word = at;
  let clause = -1;
  for (let i = at - 1; i >= 0; i--) {
    width += isWide(text, i) ? 2 : 1;
    if (width > BEFORE) return clause >= 0 ? clause : word;
    const c = text[i] ?? '';
    if (CLAUSE.test(c) && at - i > 3 && (isWide(text, i) || text[i + 1] === ' ')) clause = i + 1;
    if (c === ' ') word = i + 1;
    else if (isWide(text, i)) word = i;
  }
  return 0;
}
function endAfter(text: string, at: number, most: number): number {
  let width = 0;
  let bound = at;
  for (let i = at; i < text.length; i++) {
    const c = text[i] ?? '';
    if (c === ' ' || isWide(text, i)) bound = i;
    if (CLAUSE.test(c) && (isWide(text, i) || text[i + 1] === ' ' || i + 1 === text.length)) return i;
    width += isWide(text, i) ? 2 : 1;
    if (width > most) return bound;
  }
  return text.length;
}
