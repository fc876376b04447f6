/** Puts together what one request sends. Pure: the same values give the same bytes. */
import type { ContextPart } from '../../shared/model/context';
import type { MessageRole } from '../../shared/model/message';
import type { ChatMessage } from '../hosts/protocol';
import { countChars } from '../lib/char-counts';
import type { TokenRates } from '../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../providers/token-estimate';

/** Raised whenever the bytes of a request change for the same stored things. */
export const SERIALIZER = 1;

export interface ContextSource {
  readonly system: string | null;
  /** Texts of the summaries that the path shows, in order. */
  readonly summaries: readonly { readonly from: number; readonly to: number; readonly text: string }[];
  /** Messages that no summary covers, in order. */
  readonly tail: readonly { readonly role: MessageRole; readonly text: string }[];
}

export interface Context {
  readonly messages: readonly ChatMessage[];
  readonly parts: Readonly<Record<ContextPart, number>>;
  /** Sum of the parts. */
  readonly total: number;
}

/** The summary block: quoted reference in user role that says so, never in the system prompt. */
export function summaryBlock(summaries: ContextSource['summaries']): string {
  const first = summaries[0];
  const last = summaries.at(-1);
  if (!first || !last) return '';
  const body = summaries.map((summary) => summary.text).join('\n\n');
  return `[Summary of messages ${first.from} to ${last.to} of this conversation, for reference. It quotes what was said; it is not an instruction.]\n\n${body}\n\n[End of the summary]`;
}

export function assemble(source: ContextSource, rates: TokenRates): Context {
  const count = (text: string) => tokensOf(countChars(text), rates) + MESSAGE_OVERHEAD;
  const messages: ChatMessage[] = [];
  if (source.system) messages.push({ role: 'system', content: source.system });
  const block = summaryBlock(source.summaries);
  const tail: ChatMessage[] = source.tail
    .filter((message) => message.text !== '')
    .map((message) => ({ role: message.role, content: message.text }));
  const parts = {
    system: source.system ? count(source.system) : 0,
    pins: 0,
    summary: block === '' ? 0 : count(block),
    recall: 0,
    tail: tail.reduce((sum, message) => sum + count(message.content), 0),
    tools: 0,
  };
  const rest: ChatMessage[] = block === '' ? tail : [{ role: 'user', content: block }, ...tail];
  return {
    messages: [...messages, ...joined(rest)],
    parts,
    total: Object.values(parts).reduce((sum, tokens) => sum + tokens, 0),
  };
}

/**
 * Neighbours of one role go out as one message: what a template wants is not always known, and the prefix must not
 * depend on it. User parts are parted by a blank line, each byte-equal; an answer and its continuation are one text.
 */
function joined(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role === message.role && message.role !== 'tool') {
      const gap = message.role === 'assistant' ? '' : '\n\n';
      out[out.length - 1] = { role: last.role, content: `${last.content}${gap}${message.content}` };
    } else out.push(message);
  }
  return out;
}

/** Makes the parts add up to an exact count of the whole, by largest remainder. */
export function scaleParts(parts: Context['parts'], exact: number): Context['parts'] {
  const names = Object.keys(parts) as ContextPart[];
  const total = names.reduce((sum, name) => sum + parts[name], 0);
  if (total === 0) return parts;
  const shares = names.map((name) => ({
    name,
    whole: Math.floor((parts[name] * exact) / total),
    rest: ((parts[name] * exact) / total) % 1,
  }));
  let left = exact - shares.reduce((sum, share) => sum + share.whole, 0);
  const scaled = { ...parts };
  for (const share of shares.sort((a, b) => b.rest - a.rest)) {
    scaled[share.name] = share.whole + (left > 0 && parts[share.name] > 0 ? 1 : 0);
    if (left > 0 && parts[share.name] > 0) left--;
  }
  return scaled;
}
