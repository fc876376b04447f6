/** The words around an anchor: "42 min" says little, "the copy takes 42 min" says it all. Pure. */
import type { Anchor } from './anchors';
import { isCorrection } from './cues';
import { type Corrections, namedAsOld } from './newer-wins';
import { type Sentence, scan } from './scan';

export interface PlacedAnchor extends Anchor {
  /** What is put back for it, word for word from the message: its sentence, or the part of it around the anchor. */
  readonly line: string;
}

/** Units up to which a sentence is taken whole; a CJK character counts twice. */
const WHOLE = 120;
/** Units kept before and after the anchor of a longer one. */
const BEFORE = 60;
const AFTER = 40;

const CLAUSE = /[,;:，；：、()（）–—]/;

/** Finds each anchor's line. One whose value a correction replaced is left out. `textOf` = the message of that number. */
export function placeAnchors(
  anchors: readonly Anchor[],
  textOf: (seq: number) => string | null,
  corrections: Corrections,
): PlacedAnchor[] {
  const read = new Map<number, readonly Sentence[]>();
  const sentencesAt = (seq: number) => {
    let known = read.get(seq);
    if (!known) {
      known = scan(textOf(seq) ?? '');
      read.set(seq, known);
    }
    return known;
  };
  return anchors.flatMap((anchor) => {
    let found = false;
    for (const seq of [anchor.seq, ...anchor.earlier])
      for (const sentence of sentencesAt(seq)) {
        if (!sentence.text.includes(anchor.text)) continue;
        found = true;
        if (holds(anchor, sentence, seq, corrections))
          return [{ ...anchor, seq, line: lineAround(sentence.text, anchor.text) }];
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

/** The sentence, or of a long one the words around the anchor: at a clause's bounds where they are near, else at a word's. */
export function lineAround(sentence: string, anchor: string): string {
  if (widthOf(sentence) <= WHOLE) return sentence;
  const at = sentence.indexOf(anchor);
  const end = at + anchor.length;
  return sentence.slice(startBefore(sentence, at), endAfter(sentence, end)).trim();
}

const isWide = (text: string, at: number) => text.charCodeAt(at) >= 0x2e80;
const widthOf = (text: string) => {
  let width = text.length;
  for (let i = 0; i < text.length; i++) if (isWide(text, i)) width++;
  return width;
};

function startBefore(text: string, at: number): number {
  let width = 0;
  let space = at;
  for (let i = at - 1; i >= 0; i--) {
    width += isWide(text, i) ? 2 : 1;
    if (width > BEFORE) return space;
    const c = text[i] ?? '';
    if (c === ' ' || isWide(text, i)) space = i;
    if (CLAUSE.test(c) && at - i > 3 && (isWide(text, i) || text[i + 1] === ' ')) return i + 1;
  }
  return 0;
}
function endAfter(text: string, at: number): number {
  let width = 0;
  let space = at;
  for (let i = at; i < text.length; i++) {
    const c = text[i] ?? '';
    if (c === ' ' || isWide(text, i)) space = i;
    if (CLAUSE.test(c) && (isWide(text, i) || text[i + 1] === ' ' || i + 1 === text.length)) return i;
    width += isWide(text, i) ? 2 : 1;
    if (width > AFTER) return space;
  }
  return text.length;
}
