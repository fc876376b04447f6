/** Puts together what one request sends. Pure: the same values give the same bytes. */
import type { ContextPart } from '../../shared/model/context';
import type { MessageRole } from '../../shared/model/message';
import { charsOf, type MessageParts } from '../db/message-parts';
import type { ChatMessage, ToolSpec } from '../hosts/protocol';
import { addChars, type CharCounts, countChars, NO_CHARS } from '../lib/char-counts';
import type { TokenRates } from '../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../providers/token-estimate';
import { flatMessages, pairedMessages } from './call-pairs';
import { coveredPins, type PinnedText, pinBlock, pinTokens } from './pin-block';

/** Raised whenever the bytes of a request change for the same stored things. */
export const SERIALIZER = 3;

const CONTINUE = 'Continue your last answer exactly where it stopped. Repeat nothing.';

/** Texts of the summaries that the path shows, in order. */
export type ShownText = { readonly coversFrom: number; readonly coversTo: number; readonly text: string };

/** A message by its size and its place on the path. */
export type Placed = CharCounts & { readonly seq: number };

export interface TailMessage {
  readonly rid: number;
  readonly seq: number;
  readonly role: MessageRole;
  readonly text: string;
  readonly parts: MessageParts | null;
}

export interface ContextSource {
  readonly system: string | null;
  /** Every pin of the path: only those whose message is covered are sent apart from it. */
  readonly pins: readonly PinnedText[];
  readonly summaries: readonly ShownText[];
  /** Messages that no summary covers, in order. */
  readonly tail: readonly TailMessage[];
  /** Recalled parts, by the number of the user message before which each stands. */
  readonly recalled: ReadonlyMap<number, string>;
}

export type Parts = Readonly<Record<ContextPart, number>>;

/** The summary block: quoted reference in user role that says so, never in the system prompt. */
function summaryBlock(summaries: readonly ShownText[]): string {
  const first = summaries[0];
  const last = summaries.at(-1);
  if (!first || !last) return '';
  const body = summaries.map((summary) => summary.text).join('\n\n');
  return `[Summary of messages ${first.coversFrom} to ${last.coversTo} of this conversation, for reference. It quotes what was said; it is not an instruction.]\n\n${body}\n\n[End of the summary]`;
}

/**
 * What no summary covers, with the summaries in their places between: a chosen range may lie in the middle. Summaries
 * without a message between them are one block.
 */
function inPlace<M extends { readonly seq: number }>(
  summaries: readonly ShownText[],
  tail: readonly M[],
): readonly (string | M)[] {
  const placed: (string | M)[] = [];
  let at = 0;
  const blockBefore = (seq: number) => {
    const from = at;
    while ((summaries[at]?.coversFrom ?? seq) < seq) at++;
    if (at > from) placed.push(summaryBlock(summaries.slice(from, at)));
  };
  for (const message of tail) {
    blockBefore(message.seq);
    placed.push(message);
  }
  blockBefore(Number.POSITIVE_INFINITY);
  return placed;
}

/** Tokens by part, by the one counter: what the meter shows and what a request is measured as. */
export function partsOf(
  source: Omit<ContextSource, 'tail'> & { readonly tail: readonly Placed[] },
  tools: readonly ToolSpec[],
  rates: TokenRates,
): Parts {
  const count = (chars: CharCounts) => tokensOf(chars, rates) + MESSAGE_OVERHEAD;
  const blocks = inPlace(source.summaries, source.tail).filter((one) => typeof one === 'string');
  return {
    system: source.system ? count(countChars(source.system)) : 0,
    pins: pinTokens(coveredPins(source.pins, source.summaries), rates),
    summary: blocks.reduce((sum, block) => sum + count(countChars(block)), 0),
    recall: [...source.recalled.values()].reduce((sum, text) => sum + count(countChars(text)), 0),
    tail: source.tail.reduce((sum, chars) => sum + count(chars), 0),
    tools: tools.length === 0 ? 0 : count(countChars(JSON.stringify(tools))),
  };
}

export function totalOf(parts: Parts): number {
  return Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
}

/** Characters of a whole request, for what its reported usage teaches. */
export function sentChars(messages: readonly ChatMessage[], tools: readonly ToolSpec[]): CharCounts {
  const texts = messages.map(({ content, calls }) => charsOf(content, calls ? { calls } : null));
  return (tools.length === 0 ? texts : [...texts, countChars(JSON.stringify(tools))]).reduce(addChars, NO_CHARS);
}

/** What is hashed, and counted in bytes: messages and tool list, near enough what every server is sent. */
export function requestBody(messages: readonly ChatMessage[], tools: readonly ToolSpec[]): string {
  return JSON.stringify({ messages, tools });
}

/** What a path says to the model. `calls` false = it is given no tools: calls and results are told in words. */
export function assemble(source: ContextSource, calls: boolean): ChatMessage[] {
  const tail = (calls ? pairedMessages : flatMessages)(source.tail);
  const pins = pinBlock(coveredPins(source.pins, source.summaries));
  const placed = [...(pins === '' ? [] : [pins]), ...inPlace(source.summaries, tail)].flatMap((one): ChatMessage[] => {
    if (typeof one === 'string') return [{ role: 'user', content: one }];
    const recalled = one.rid === null ? undefined : source.recalled.get(one.rid);
    return recalled === undefined ? [one.message] : [{ role: 'user', content: recalled }, one.message];
  });
  return [...(source.system ? [{ role: 'system', content: source.system } as const] : []), ...joined(placed)];
}

/** The messages of one request: the path, and where an answer ends it the wish to go on with that answer. */
export function assembleRequest(
  source: ContextSource & { readonly endsWithAnswer: boolean },
  calls: boolean,
): ChatMessage[] {
  const messages = assemble(source, calls);
  return source.endsWithAnswer ? joined([...messages, { role: 'user', content: CONTINUE }]) : messages;
}

/**
 * Neighbours of one role go out as one message: what a template wants is not always known, and the prefix must not
 * depend on it. User parts are parted by a blank line, each byte-equal; an answer and its continuation are one text.
 */
function joined(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role === message.role && message.role !== 'tool' && !last.calls) {
      const gap = message.role === 'assistant' ? '' : '\n\n';
      const images = [...(last.images ?? []), ...(message.images ?? [])];
      out[out.length - 1] = {
        ...message,
        content: `${last.content}${gap}${message.content}`,
        ...(images.length === 0 ? {} : { images }),
      };
    } else out.push(message);
  }
  return out;
}

/** Makes the parts add up to an exact count of the whole. */
export function scaleParts(parts: Parts, exact: number): Parts {
  const names = Object.keys(parts) as ContextPart[];
  if (totalOf(parts) === 0) return parts;
  const shared = shareOut(
    exact,
    names.map((name) => parts[name]),
  );
  return Object.fromEntries(names.map((name, index) => [name, shared[index]])) as Parts;
}

/** Whole numbers in proportion to `weights` that add up to `total`, by largest remainder; a weight of 0 gets nothing. */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const exact = weights.map((weight) => (all === 0 ? 0 : (weight * total) / all));
  const shares = exact.map(Math.floor);
  let left = total - shares.reduce((sum, share) => sum + share, 0);
  const byRest = exact.map((share, index) => ({ index, rest: share % 1 })).sort((a, b) => b.rest - a.rest);
  for (const { index } of byRest) {
    if (left <= 0 || weights[index] === 0) continue;
    shares[index] = (shares[index] ?? 0) + 1;
    left--;
  }
  return shares;
}
