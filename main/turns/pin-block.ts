/** What pins send once their messages are covered: one quoted block in user role that says so. Pure (holds I6). */
import type { MessageRole } from '../../shared/model/message';
import type { Excerpt } from '../../shared/model/pin';
import { countChars } from '../lib/char-counts';
import type { TokenRates } from '../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../providers/token-estimate';

export interface PinnedText {
  readonly seq: number;
  readonly role: MessageRole;
  readonly excerpt: Excerpt | null;
  /** Word for word. */
  readonly text: string;
}

const HEAD =
  '[Pinned by the user: passages from earlier in this conversation, word for word, for reference. They quote what was said then.]';
const END = '[End of the pinned passages]';
const SPEAKER: Record<MessageRole, string> = { user: 'the user', assistant: 'the assistant', tool: 'a tool' };

/** One passage with the line that says whose it is. */
function pinEntry({ seq, role, excerpt, text }: PinnedText): string {
  return `[${excerpt ? 'From message' : 'Message'} ${seq}, by ${SPEAKER[role]}]\n${text}`;
}

/** The block of the covered pins, in the order of the conversation; '' = there is none. */
export function pinBlock(covered: readonly PinnedText[]): string {
  return covered.length === 0 ? '' : [HEAD, ...covered.map(pinEntry), END].join('\n\n');
}

/** The pins whose messages a summary covers: the others stand in the tail, where they are. */
export function coveredPins<P extends { readonly seq: number }>(
  pins: readonly P[],
  summaries: readonly { readonly coversFrom: number; readonly coversTo: number }[],
): P[] {
  return pins.filter(({ seq }) => summaries.some(({ coversFrom, coversTo }) => seq >= coversFrom && seq <= coversTo));
}

/** Tokens of the block that these pins make; 0 = there is none. */
export function pinTokens(covered: readonly PinnedText[], rates: TokenRates): number {
  return covered.length === 0 ? 0 : tokensOf(countChars(pinBlock(covered)), rates) + MESSAGE_OVERHEAD;
}

/** Tokens that one pin adds to the block. */
export function entryTokens(pin: PinnedText, rates: TokenRates): number {
  return tokensOf(countChars(`${pinEntry(pin)}\n\n`), rates);
}
