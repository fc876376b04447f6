/** Cuts a range into the parts that a model reads one by one. Pure. */
import type { MessageRole } from '../../shared/model/message';
import { stripForSummary } from './strip';

export interface SourceMessage {
  readonly seq: number;
  readonly role: MessageRole;
  readonly text: string;
}

/** A summary that is built upon: it is read in the place of the messages it covers. */
export interface SourceSummary {
  readonly seq: number;
  readonly to: number;
  readonly role: 'summary';
  readonly text: string;
}
type Source = SourceMessage | SourceSummary;

export interface Chunk {
  /** First and last message that it holds, wholly or in part. */
  readonly from: number;
  readonly to: number;
  /** What the model reads: the messages with their numbers, stripped. */
  readonly text: string;
  readonly tokens: number;
}

const SPEAKER: Record<MessageRole, string> = { user: 'User', assistant: 'Assistant', tool: 'Tool result' };

/**
 * Whole turns, counted from the start of the range, up to `limit` tokens each. A turn that is larger is cut between
 * messages; a message that is larger is cut at paragraph, line or sentence ends, never inside a character, and a code
 * fence that a cut closes is opened again.
 */
export function chunksOf(messages: readonly Source[], limit: number, count: (text: string) => number): Chunk[] {
  const chunks: Chunk[] = [];
  let open: { from: number; to: number; texts: string[]; tokens: number } | null = null;
  const close = () => {
    if (open) chunks.push({ from: open.from, to: open.to, text: open.texts.join('\n\n'), tokens: open.tokens });
    open = null;
  };
  const add = (from: number, to: number, text: string, tokens: number) => {
    if (open && open.tokens + tokens > limit) close();
    if (open) open = { from: open.from, to, texts: [...open.texts, text], tokens: open.tokens + tokens };
    else open = { from, to, texts: [text], tokens };
  };
  for (const turn of splitTurns(messages)) {
    const rendered = turn.map((source) => ({ seq: source.seq, to: lastOf(source), text: render(source) }));
    const whole = rendered.map((one) => one.text).join('\n\n');
    const tokens = count(whole);
    const first = rendered[0]?.seq ?? 0;
    if (tokens <= limit) {
      add(first, rendered.at(-1)?.to ?? first, whole, tokens);
      continue;
    }
    for (const one of rendered)
      for (const piece of cutText(one.text, limit, count)) add(one.seq, one.to, piece, count(piece));
  }
  close();
  return chunks;
}

const lastOf = (source: Source) => (source.role === 'summary' ? source.to : source.seq);

function splitTurns(sources: readonly Source[]): Source[][] {
  const turns: Source[][] = [];
  for (const source of sources) {
    if (source.role === 'user' || source.role === 'summary' || turns.length === 0) turns.push([source]);
    else turns.at(-1)?.push(source);
  }
  return turns;
}

function render(message: Source): string {
  if (message.role === 'summary') return `Summary of messages ${message.seq} to ${message.to}:\n${message.text}`;
  return `${SPEAKER[message.role]} (message ${message.seq}):\n${stripForSummary(message.text, message.role === 'assistant' ? 'model' : 'person')}`;
}

const ENDS: readonly RegExp[] = [/\n\n+/g, /\n/g, /(?<=[.!?。！？])\s*/g, /\s+/g];

/** Pieces of at most `limit` tokens. */
export function cutText(text: string, limit: number, count: (text: string) => number): string[] {
  const pieces: string[] = [];
  let rest = text;
  let fence = '';
  while (rest !== '') {
    const opened = fence === '' ? rest : `${fence}\n${rest}`;
    if (count(opened) <= limit) {
      pieces.push(opened);
      break;
    }
    const at = cutPlace(rest, limit, count);
    const piece = rest.slice(0, at);
    const body = fence === '' ? piece : `${fence}\n${piece}`;
    fence = openFence(body);
    pieces.push(fence === '' ? body : `${body}\n\`\`\``);
    rest = rest.slice(at).replace(/^\n+/, '');
  }
  return pieces;
}

/** The best place at or before the largest prefix that fits: a paragraph's end, else a line's, a sentence's, a word's. */
function cutPlace(text: string, limit: number, count: (text: string) => number): number {
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (count(text.slice(0, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  for (const end of ENDS) {
    let best = 0;
    for (const match of text.slice(0, low).matchAll(end)) {
      const place = match.index + match[0].length;
      if (place > best) best = place;
    }
    if (best > low / 2) return best;
  }
  const last = text.charCodeAt(low - 1);
  return low > 1 && last >= 0xd800 && last <= 0xdbff ? low - 1 : low; // not between the halves of one character
}

/** The opening line of a code fence that is still open at the end of the text, or ''. */
function openFence(text: string): string {
  let fence = '';
  for (const line of text.split('\n')) {
    if (!line.startsWith('```')) continue;
    fence = fence === '' ? line : '';
  }
  return fence;
}
