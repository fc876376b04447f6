/**
 * Which messages a summary's lines come from, and whether their exact strings occur there at all. Links are made by the
 * app, never by the model. Reads the messages one by one, once; pure.
 */
import type { SectionName, SummaryLine, SummarySection } from '../../shared/model/compression';
import { isRule } from './cues';
import { type ExactString, tokensIn } from './exact-strings';
import type { ReadMessage } from './read-message';
import { scan } from './scan';
import { joinSections } from './sections';
import { eachWord } from './word-hash';

/** Links a line shows at most. */
const MOST = 3;

interface Match {
  readonly seq: number;
  readonly hits: number;
  /** Which of the line's strings, as bits: of the first thirty. */
  readonly held: number;
  readonly tool: boolean;
}
interface Line {
  readonly said: SummaryLine;
  readonly exact: readonly ExactString[];
  /** Number of different words; they are looked at only in a line without exact strings, and 0 in any other. */
  words: number;
  /** Best messages so far: most shared strings first, of equals the earliest. */
  readonly best: Match[];
  /** What the running message shares with the line. */
  hits: number;
  held: number;
}

/** A string and the lines that hold it. `seq` = the last message in which it was counted. */
interface Wanted {
  readonly lines: { readonly line: Line; readonly bit: number }[];
  seq: number;
}

const DIGITS = /^\D*(\d[\d.,]*).*$/s;

/** Numbers are compared by their digits: 1,000 ms and 1000 ms are one. */
function keyOf({ kind, text }: ExactString): string {
  return kind === 'number' ? `#${text.replace(/\D/g, '')}` : text.toLowerCase();
}

export class SourceFinder {
  readonly #sections: readonly { readonly name: SectionName; readonly lines: readonly Line[] }[];
  readonly #exact = new Map<string, Wanted>();
  readonly #words = new Map<number, Wanted>();
  readonly #found = new Set<string>();

  constructor(sections: readonly SummarySection[]) {
    this.#sections = sections.map(({ name, lines }) => ({ name, lines: lines.map((line) => this.#line(line)) }));
  }

  add(message: ReadMessage, text: string): void {
    const touched: Line[] = [];
    for (const { sentences } of message.parts)
      for (const sentence of sentences)
        for (const exact of message.exactOf(sentence)) {
          const key = keyOf(exact);
          const wanted = this.#exact.get(key);
          if (!wanted) continue;
          this.#found.add(key);
          count(wanted, message.seq, touched);
        }
    if (this.#words.size > 0)
      eachWord(text, (hash) => {
        const wanted = this.#words.get(hash);
        if (wanted) count(wanted, message.seq, touched);
      });
    for (const line of touched) {
      // half of its words, where words are all it has
      if (line.hits * 2 >= line.words) keepBest(line, message.seq, message.role === 'tool');
      line.hits = 0;
      line.held = 0;
    }
  }

  /** Exact strings that no message holds as such: they may still stand inside a longer word. */
  get missing(): readonly ExactString[] {
    const all = this.#sections.flatMap(({ lines }) => lines).flatMap((line) => line.exact);
    return all.filter((exact) => !this.#found.has(keyOf(exact)));
  }
  /** Looks for what is missing, character by character. */
  searchIn(text: string, missing: readonly ExactString[]): void {
    const small = text.toLowerCase();
    for (const exact of missing) {
      const needle = exact.kind === 'number' ? exact.text.replace(DIGITS, '$1') : exact.text.toLowerCase();
      if (small.includes(needle)) this.#found.add(keyOf(exact));
    }
  }
  /** True where the string occurs in the source. */
  readonly holds = (exact: ExactString): boolean => this.#found.has(keyOf(exact));

  /**
   * Each line's sources; the whole range where no message is like it. A constraint that only tool results hold is none
   * of the user's: an order is left out, anything else is a fact.
   */
  linked(range: { from: number; to: number }): SummarySection[] {
    const whole = range.from === range.to ? [range.from] : [range.from, range.to];
    const facts: SummaryLine[] = [];
    const sections = this.#sections.map(
      ({ name, lines }): SummarySection => ({
        name,
        lines: lines.flatMap(({ said, best }) => {
          if (said.sources.length > 0) return [said];
          const sources = sourcesOf(best);
          const linked = { text: said.text, sources: sources.length > 0 ? sources : whole };
          if (name !== 'constraints' || best.length === 0 || best.some((one) => !one.tool)) return [linked];
          if (!scan(said.text).some(isRule)) facts.push(linked);
          return [];
        }),
      }),
    );
    return joinSections([sections, [{ name: 'facts', lines: facts }]]);
  }

  #line(said: SummaryLine): Line {
    const line: Line = { said, exact: tokensIn(said.text), words: 0, best: [], hits: 0, held: 0 };
    for (const [i, exact] of line.exact.entries()) want(this.#exact, keyOf(exact), line, i < 30 ? 1 << i : 0);
    if (line.exact.length === 0)
      eachWord(said.text, (hash) => {
        if (want(this.#words, hash, line, 0)) line.words++;
      });
    return line;
  }
}

/** False where the line wants it already. */
function want<K>(all: Map<K, Wanted>, key: K, line: Line, bit: number): boolean {
  const known = all.get(key);
  if (!known) all.set(key, { lines: [{ line, bit }], seq: 0 });
  else if (known.lines.some((one) => one.line === line)) return false;
  else known.lines.push({ line, bit });
  return true;
}

function count(wanted: Wanted, seq: number, touched: Line[]): void {
  if (wanted.seq === seq) return;
  wanted.seq = seq;
  for (const { line, bit } of wanted.lines) {
    if (line.hits++ === 0) touched.push(line);
    line.held |= bit;
  }
}

/** Messages come in their order, so of equals the earlier one stands first already. */
function keepBest({ exact, best, hits, held }: Line, seq: number, tool: boolean): void {
  const weaker = best.findIndex((one) => one.hits < hits);
  best.splice(weaker < 0 ? best.length : weaker, 0, { seq, hits, held, tool });
  best.splice(exact.length > 0 ? MOST : 1);
}

/** The messages that hold most of the line's strings, and those that hold what these do not; in order. */
function sourcesOf(best: readonly Match[]): number[] {
  const most = Math.max(...best.map((one) => one.hits));
  let held = 0;
  const kept = best.filter((one) => {
    const adds = (one.held & ~held) !== 0 || one.hits === most;
    held |= one.held;
    return adds;
  });
  return kept.map((one) => one.seq).sort((a, b) => a - b);
}
