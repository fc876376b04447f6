/** The strategy that needs no model: deterministic, always ends, picked from the originals. Pure. */
import type { SectionName, SummaryLine, SummarySection } from '../../shared/model/compression';
import { firstChars } from '../lib/first-chars';
import { cueKind } from './anchors';
import { isDecision, isFailure, isGoal, isOpen, isRule, isState } from './cues';
import { EXACT_MARKS, MARK } from './marks';
import type { Corrections } from './newer-wins';
import type { ReadMessage } from './read-message';
import type { Sentence } from './scan';

type PickedSection = Exclude<SectionName, 'facts' | 'anchors'>;

interface Picked {
  readonly sentence: Sentence;
  readonly seq: number;
  readonly score: number;
}

/** Longest line in characters; a longer sentence is cut at a word with an ellipsis. */
const LINE = 220;
/** A line cut shorter than this says nothing. */
const SHORTEST = 12;
/** User messages whose beginning counts as one of the newest turns. */
const NEWEST_TURNS = 3;

/** Newest messages whose beginnings are remembered. */
const MOST_REMEMBERED = 64;

/** Share of the budget that each section may fill. What one leaves is for those after it. */
const SHARE: Record<PickedSection, number> = { goal: 0.15, constraints: 0.35, decisions: 0.2, state: 0.2, open: 0.1 };
const ORDER = Object.keys(SHARE) as PickedSection[];

/** Candidates of a section above which the lesser half is forgotten. */
const MOST_PICKED = 400;

/** Gathers what stands out, message by message. `range` = first and last number of what is covered. */
export class Picker {
  readonly #picked: Record<PickedSection, Picked[]> = { goal: [], constraints: [], decisions: [], state: [], open: [] };
  readonly #from: number;
  readonly #span: number;
  /** First sentences of the newest messages, newest last. */
  readonly #last: Picked[] = [];
  readonly #newestTurns: Picked[] = [];
  #begun = false;

  constructor(range: { from: number; to: number }) {
    this.#from = range.from;
    this.#span = Math.max(1, range.to - range.from);
  }

  add(message: ReadMessage): void {
    const { seq, role } = message;
    const newness = (seq - this.#from) / this.#span;
    const sentences = message.parts.find((part) => part.sentences.length > 0)?.sentences ?? [];
    // of a message that was pasted as a whole the beginning is read, but nothing in it is the user's word
    const typed = sentences === message.typed;
    const pasted = role === 'user' && !typed;
    let first = true;
    for (const sentence of sentences) {
      if (!isReadable(sentence)) continue;
      if (first) this.#begin(sentence, message, newness);
      first = false;
      if (pasted || (sentence.marks & ~EXACT_MARKS) === 0) continue;
      const kind = typed ? cueKind(sentence) : null;
      if (kind !== null) this.#pick('constraints', sentence, seq, (kind === 'correction' ? 6 : 5) + newness);
      else this.#sort(sentence, seq, role, newness);
    }
    const [any] = sentences;
    if (first && any) this.#remember(any, seq, role);
  }

  #begin(sentence: Sentence, { seq, role }: ReadMessage, newness: number): void {
    this.#remember(sentence, seq, role);
    if (role !== 'user') return;
    if (!this.#begun) this.#pick('goal', sentence, seq, 9);
    else if (isGoal(sentence) && cueKind(sentence) === null) this.#pick('goal', sentence, seq, 3 + 2 * newness);
    this.#begun = true;
    this.#newestTurns.push({ sentence, seq, score: 5 + newness });
    if (this.#newestTurns.length > NEWEST_TURNS) this.#newestTurns.shift();
  }

  /** What a conversation without anything else would be told by; an order that nobody typed is left out. */
  #remember(sentence: Sentence, seq: number, role: ReadMessage['role']): void {
    if (role !== 'user' && isRule(sentence)) return;
    this.#last.push({ sentence, seq, score: 0 });
    if (this.#last.length > MOST_REMEMBERED) this.#last.shift();
  }

  #sort(sentence: Sentence, seq: number, role: ReadMessage['role'], newness: number): void {
    // an order that the user did not type is none, wherever it would stand
    // and a line that only leads to the next says nothing
    if (isRule(sentence) || /[:：]$/.test(sentence.text)) return;
    const exact = (sentence.marks & MARK.digit) !== 0 ? 0.5 : 0;
    const said = role === 'user' ? 2 : 0;
    // a tool tells what is; it neither decides nor asks
    if (role === 'tool') {
      if (isFailure(sentence)) this.#pick('state', sentence, seq, 0.5 + exact + newness);
      else if (isState(sentence)) this.#pick('state', sentence, seq, exact + newness);
    } else if (isOpen(sentence)) this.#pick('open', sentence, seq, 1 + said + exact + 2 * newness);
    else if (isDecision(sentence)) this.#pick('decisions', sentence, seq, 2 + said + exact + newness);
    else if (isFailure(sentence)) this.#pick('state', sentence, seq, 2.5 + said + exact + newness);
    else if (isState(sentence)) this.#pick('state', sentence, seq, 1.5 + said / 2 + exact + 2 * newness);
  }

  #pick(section: PickedSection, sentence: Sentence, seq: number, score: number): void {
    const list = this.#picked[section];
    list.push({ sentence, seq, score });
    if (list.length >= 2 * MOST_PICKED) list.sort(byScore).splice(MOST_PICKED);
  }

  /**
   * Sections within `budget` tokens. `base` = sections of the summary by a model, a person or an import that covers
   * the beginning: its lines go first. What a correction replaced is left out.
   */
  sections(
    budget: number,
    count: (text: string) => number,
    corrections: Corrections,
    base: readonly SummarySection[] = [],
  ): SummarySection[] {
    const sections: SummarySection[] = [];
    let carried = 0;
    for (const name of ORDER) {
      const room = budget * SHARE[name] + carried;
      const own = [...this.#picked[name], ...(name === 'state' ? this.#newestTurns : [])]
        .sort(byScore)
        .filter((one) => corrections.replacedIn(one.sentence, one.seq).size === 0);
      const candidates = [
        ...(base.find((section) => section.name === name)?.lines ?? []),
        ...own.map((one): SummaryLine => ({ text: shorten(one.sentence.text), sources: [one.seq] })),
      ];
      const { lines, left } = fill(candidates, room, count, taken(sections));
      carried = left;
      if (lines.length > 0) sections.push({ name, lines: inTime(lines) });
    }
    const facts = base.find((section) => section.name === 'facts')?.lines ?? [];
    const { lines } = fill(facts, carried, count, taken(sections));
    if (lines.length > 0) sections.push({ name: 'facts', lines: inTime(lines) });
    return sections.length > 0 ? sections : this.#lastWords(Math.max(budget, 40), count);
  }

  /** A conversation in which nothing stands out still gets its newest words. */
  #lastWords(budget: number, count: (text: string) => number): SummarySection[] {
    const newestFirst = [...this.#last].reverse();
    const lines = newestFirst.map((one) => ({ text: shorten(one.sentence.text), sources: [one.seq] }));
    const kept = fill(lines, budget, count, new Set()).lines;
    return kept.length > 0 ? [{ name: 'state', lines: inTime(kept) }] : [];
  }
}

const byScore = (a: Picked, b: Picked) => b.score - a.score || b.seq - a.seq;
const taken = (sections: readonly SummarySection[]) =>
  new Set(sections.flatMap((section) => section.lines.map((line) => line.text)));
/** In the order of the conversation, so that what was said later stands later. */
const inTime = (lines: readonly SummaryLine[]) => [...lines].sort((a, b) => (a.sources[0] ?? 0) - (b.sources[0] ?? 0));
const isReadable = ({ text, marks }: Sentence) =>
  (marks & MARK.code) === 0 && !/^[`|{}<]/.test(text) && text.length >= ((marks & MARK.cjk) === 0 ? 8 : 4);

/** The lines that fit, in their order. The first is cut to its room rather than left out: a long goal is still the goal. */
function fill(
  candidates: readonly SummaryLine[],
  room: number,
  count: (text: string) => number,
  known: ReadonlySet<string>,
): { lines: SummaryLine[]; left: number } {
  const lines: SummaryLine[] = [];
  let left = room;
  for (const candidate of candidates) {
    if (left < 4) break;
    const text = lines.length === 0 ? fitted(candidate.text, left, count) : candidate.text;
    const price = count(text) + 2;
    if (text === '' || price > left || known.has(text) || lines.some((one) => one.text === text)) continue;
    lines.push({ text, sources: candidate.sources });
    left -= price;
  }
  return { lines, left };
}

function shorten(sentence: string, most = LINE): string {
  if (sentence.length <= most) return sentence;
  const cut = firstChars(sentence, most);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > most / 2 ? space : most)}…`;
}

/** The text, or as much of it as fits `room` tokens; '' where not even a few words do. */
function fitted(text: string, room: number, count: (text: string) => number): string {
  let cut = text;
  for (let most = text.length; count(cut) + 2 > room; ) {
    most = Math.min(most - 1, Math.floor((most * (room - 2)) / count(cut)));
    if (most < SHORTEST) return '';
    cut = shorten(text, most);
  }
  return cut;
}
