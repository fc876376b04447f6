/** What must survive a compression word for word, drawn from the covered originals without a model. Pure. */
import { isCorrection, isRule } from './cues';
import type { ExactKind } from './exact-strings';
import { MARK } from './marks';
import type { Correction } from './newer-wins';
import type { ReadMessage } from './read-message';
import { type Sentence, scan } from './scan';

export type AnchorKind = 'rule' | 'correction' | ExactKind;

export interface Anchor {
  readonly kind: AnchorKind;
  /** Word for word as it stands in the message. */
  readonly text: string;
  /** The newest message that holds it. */
  readonly seq: number;
  /** Some more that do, newest first. */
  readonly earlier: readonly number[];
  readonly weight: number;
}

/** What an anchor of a kind is worth before repetition, newness and origin are added. */
const WEIGHT: Record<AnchorKind, number> = {
  rule: 11,
  correction: 11,
  identifier: 4,
  path: 4,
  url: 3.5,
  date: 3.5,
  number: 3.5,
  name: 3,
};
/** What a place is worth: a person's own words are meant; code and tool results hold strings by the thousand. */
const ORIGIN = { typed: 1.5, answer: 0, other: -2 } as const;
/** Most that being said again, and being the newest, add. */
const REPEATED = 2;
const NEWEST = 2;

/** Hashes and bare numbers: hardly anybody asks for them, and alone they say little. What they lose. */
const OPAQUE = /^(?:[0-9a-f]{7,40}|\d[\d.,]*)$/;
const MEANS_LITTLE = 1.5;

/** Entries above which the lighter half is forgotten: memory is bounded, however long the session is. */
const MOST_ENTRIES = 60_000;

/** Older places of a string that are kept. */
const EARLIER = 3;
const NONE: number[] = [];
/** Corrections that older facts are held against. */
const MOST_CORRECTIONS = 200;

interface Entry {
  readonly kind: AnchorKind;
  readonly text: string;
  seq: number;
  earlier: number[];
  times: number;
  origin: number;
}

/** A copy that does not keep the message alive out of which it was cut. */
const owned = (text: string): string => (text.length < 13 ? text : Buffer.from(text, 'utf8').toString('utf8'));

/** Gathers anchors message by message. `range` = first and last number of what is covered. */
export class AnchorBook {
  readonly #entries = new Map<string, Entry>();
  readonly #from: number;
  readonly #span: number;

  constructor(range: { from: number; to: number }) {
    this.#from = range.from;
    this.#span = Math.max(1, range.to - range.from);
  }

  add(message: ReadMessage): void {
    const { seq } = message;
    for (const sentence of message.typed) {
      const kind = cueKind(sentence);
      if (kind !== null) this.#note(kind, sentence.text, seq, ORIGIN.typed);
    }
    for (const { sentences, origin } of message.parts)
      for (const sentence of sentences) {
        const code = (sentence.marks & MARK.code) !== 0;
        for (const { kind, text } of message.exactOf(sentence)) {
          // a number in a log or a table means nothing without its row
          if (code && (kind === 'number' || kind === 'date')) continue;
          this.#note(kind, text, seq, ORIGIN[code ? 'other' : origin]);
        }
      }
    if (this.#entries.size >= MOST_ENTRIES) this.#forget();
  }

  /** Best first: the same string once, with its newest place. */
  ranked(most = Number.POSITIVE_INFINITY): Anchor[] {
    return [...this.#entries.values()]
      .map((entry) => ({ ...placeOf(entry), weight: this.#weight(entry) }))
      .sort((a, b) => b.weight - a.weight || b.seq - a.seq || (a.text < b.text ? -1 : 1))
      .slice(0, most);
  }

  /** What the user corrected, oldest first: the newest of a long list. */
  corrections(): Correction[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.kind === 'correction')
      .sort((a, b) => a.seq - b.seq)
      .slice(-MOST_CORRECTIONS)
      .flatMap(({ seq, text }) => scan(text).map((sentence) => ({ seq, sentence })));
  }

  #note(kind: AnchorKind, text: string, seq: number, origin: number): void {
    const known = this.#entries.get(text);
    if (known) {
      if (seq !== known.seq) {
        known.times++;
        known.earlier = [known.seq, ...known.earlier.slice(0, EARLIER - 1)];
        known.seq = seq;
      }
      if (origin > known.origin) known.origin = origin;
    } else {
      const own = owned(text);
      this.#entries.set(own, { kind, text: own, seq, earlier: NONE, times: 1, origin });
    }
  }

  #weight({ kind, text, seq, times, origin }: Entry): number {
    // what stands in code and logs is often said again, and means no more for it
    const repeated = origin === ORIGIN.other ? 0 : Math.min(REPEATED, Math.log2(times) / 2);
    const opaque = OPAQUE.test(text) ? MEANS_LITTLE : 0;
    return WEIGHT[kind] + origin - opaque + repeated + (NEWEST * (seq - this.#from)) / this.#span;
  }

  #forget(): void {
    for (const { text } of this.ranked().slice(MOST_ENTRIES / 2)) this.#entries.delete(text);
  }
}

const placeOf = ({ kind, text, seq, earlier }: Entry) => ({ kind, text, seq, earlier });

export function cueKind(sentence: Sentence): 'rule' | 'correction' | null {
  if (isCorrection(sentence)) return 'correction';
  return isRule(sentence) ? 'rule' : null;
}
