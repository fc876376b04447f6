/** Cuts a range into the parts that a model reads one by one. Pure. */
import type { MessageRole } from '../../shared/model/message';
import type { SourceMessage } from './read-message';
import { stripForSummary } from './strip';

/** A summary that is built upon: it is read in the place of the messages it covers. */
export interface SourceSummary {
  readonly seq: number;
  readonly to: number;
  readonly role: 'summary';
  readonly text: string;
}
export type Source = SourceMessage | SourceSummary;

/** Where a chunk lies: enough to make its text again out of the originals. */
export interface ChunkPlace {
  /** First and last message that it holds, wholly or in part. */
  readonly from: number;
  readonly to: number;
  /** Of a turn larger than a chunk: the turn's messages, and which of its pieces this is. null = whole turns. */
  readonly piece: { readonly from: number; readonly to: number; readonly n: number } | null;
}
export interface Chunk extends ChunkPlace {
  /** What the model reads: the messages with their numbers, stripped. */
  readonly text: string;
  readonly tokens: number;
}

type Count = (text: string) => number;

const SPEAKER: Record<MessageRole, string> = { user: 'User', assistant: 'Assistant', tool: 'Tool result' };

/**
 * Takes the messages of a range in order and gives chunks as they are full: whole turns, counted from the start of the
 * range, up to `limit` tokens each. A turn that is larger is cut between messages; a message that is larger is cut at
 * paragraph, line or sentence ends, never inside a character, and a code fence that a cut closes is opened again.
 */
export class ChunkCutter {
  readonly #limit: number;
  readonly #count: Count;
  #turn: Source[] = [];
  #open: { from: number; to: number; texts: string[]; tokens: number } | null = null;

  constructor(limit: number, count: Count) {
    this.#limit = limit;
    this.#count = count;
  }

  /** Chunks that are full now. */
  add(source: Source): Chunk[] {
    const done = source.role === 'user' || source.role === 'summary' ? this.#endTurn() : [];
    this.#turn.push(source);
    return done;
  }
  /** The rest. */
  end(): Chunk[] {
    return [...this.#endTurn(), ...this.#close()];
  }

  #endTurn(): Chunk[] {
    const turn = this.#turn;
    const first = turn[0];
    const last = turn.at(-1);
    if (!first || !last) return [];
    this.#turn = [];
    const text = turnText(turn);
    const tokens = this.#count(text);
    if (tokens > this.#limit) return [...this.#close(), ...piecesOf(turn, this.#limit, this.#count)];
    const full = this.#open !== null && this.#open.tokens + tokens > this.#limit ? this.#close() : [];
    const { from, texts, tokens: before } = this.#open ?? { from: first.seq, texts: [], tokens: 0 };
    this.#open = { from, to: lastOf(last), texts: [...texts, text], tokens: before + tokens };
    return full;
  }
  #close(): Chunk[] {
    const open = this.#open;
    this.#open = null;
    return open
      ? [{ from: open.from, to: open.to, piece: null, text: open.texts.join('\n\n'), tokens: open.tokens }]
      : [];
  }
}

/** The text of a chunk, made again. `sources` = all of its range, or of its turn where it is a piece of one. */
export function chunkText(place: ChunkPlace, sources: readonly Source[], limit: number, count: Count): string {
  if (place.piece === null) return turnText(sources);
  return piecesOf(sources, limit, count)[place.piece.n]?.text ?? '';
}

const lastOf = (source: Source) => (source.role === 'summary' ? source.to : source.seq);
const turnText = (turn: readonly Source[]) => turn.map(render).join('\n\n');

/** Pieces of one turn, each as many messages or parts of one as fit. */
function piecesOf(turn: readonly Source[], limit: number, count: Count): Chunk[] {
  const pieces: { from: number; to: number; texts: string[]; tokens: number }[] = [];
  for (const source of turn)
    for (const text of cutText(render(source), limit, count)) {
      const tokens = count(text);
      const last = pieces.at(-1);
      if (last && last.tokens + tokens <= limit) {
        last.to = lastOf(source);
        last.texts.push(text);
        last.tokens += tokens;
      } else pieces.push({ from: source.seq, to: lastOf(source), texts: [text], tokens });
    }
  const from = turn[0]?.seq ?? 0;
  const end = turn.at(-1);
  const to = end ? lastOf(end) : from;
  return pieces.map(({ texts, ...piece }, n) => ({ ...piece, text: texts.join('\n\n'), piece: { from, to, n } }));
}

function render(message: Source): string {
  if (message.role === 'summary') return `Summary of messages ${message.seq} to ${message.to}:\n${message.text}`;
  return `${SPEAKER[message.role]} (message ${message.seq}):\n${stripForSummary(message.text, message.role === 'assistant' ? 'model' : 'person')}`;
}

const ENDS: readonly RegExp[] = [/\n\n+/g, /\n/g, /(?<=[.!?。！？])\s*/g, /\s+/g];
/** Characters that are looked at first for a piece; a text of small price a character is looked at further. */
const REACH = 4_096;
/** Longest opening line of a code fence that is repeated in each piece. */
const LONGEST_FENCE = 40;
const FENCE_END = '\n```';

/** Pieces of at most `limit` tokens. */
export function cutText(text: string, limit: number, count: Count): string[] {
  const pieces: string[] = [];
  // what a cut adds around a piece of code must fit too
  const room = text.includes('```')
    ? Math.max(limit / 2, limit - 1 - count(`${'x'.repeat(LONGEST_FENCE)}\n${FENCE_END}`))
    : limit;
  let fence = '';
  for (let at = 0; at < text.length; ) {
    const length = cutPlace(text, at, room, count);
    const piece = text.slice(at, at + length);
    const body = fence === '' ? piece : `${fence}\n${piece}`;
    at += length;
    while (text.charCodeAt(at) === 10) at++;
    const open = openFence(body);
    fence = at < text.length ? open : '';
    pieces.push(fence === '' ? body : `${body}${FENCE_END}`);
  }
  return pieces;
}

/**
 * Length of the next piece: up to the best place at or before the largest prefix that fits, which is a paragraph's end,
 * else a line's, a sentence's, a word's. Looks no further than the piece may reach.
 */
function cutPlace(text: string, from: number, limit: number, count: Count): number {
  let high = REACH;
  while (from + high < text.length && count(text.slice(from, from + high)) <= limit) high *= 2;
  high = Math.min(high, text.length - from);
  if (from + high === text.length && count(text.slice(from)) <= limit) return high;
  let low = 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (count(text.slice(from, from + middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  const most = text.slice(from, from + low);
  for (const end of ENDS) {
    let best = 0;
    for (const match of most.matchAll(end)) best = match.index + match[0].length;
    if (best > low / 2) return best;
  }
  const last = most.charCodeAt(low - 1);
  return low > 1 && last >= 0xd800 && last <= 0xdbff ? low - 1 : low; // not between the halves of one character
}

/** The opening line of a code fence that is still open at the end of the text, or ''. */
function openFence(text: string): string {
  let fence = '';
  for (const line of text.split('\n')) {
    if (!line.startsWith('```')) continue;
    fence = fence === '' ? line.slice(0, LONGEST_FENCE) : '';
  }
  return fence;
}
