/** What the model is told of a call's end. Pure. */
import { assertNever } from '../../shared/exhaustive';
import type { ResultState } from '../../shared/model/message';
import { countChars } from '../lib/char-counts';
import type { TokenRates } from '../providers/registry-types';
import { tokensOf } from '../providers/token-estimate';
import type { ToolEnd } from './tool-executor';

/** Tokens of a result in the context: a tenth of the usable window, within these; null = the window is unknown. */
export function resultBudget(usable: number | null): number {
  return usable === null ? 2_000 : Math.min(8_000, Math.max(400, Math.floor(usable * 0.1)));
}

/** Of calls that the app's end, or the user's stop, has left without a result, and of those that were not allowed. */
export const OPEN_CALL = {
  interrupted: 'Interrupted: the app ended while this ran. Whether it had an effect is unknown.',
  cancelled: 'Stopped by the user before it ended. Whether it had an effect is unknown.',
  'not-run': 'Not run.',
  unanswered: 'Not run: the app ended before the user had allowed it.',
  denied: 'The user did not allow this call, so it was not made. Go on without it, or ask the user.',
} as const;

export function stateOf(end: ToolEnd): ResultState {
  return end.kind;
}

export function textOf(end: ToolEnd): string {
  switch (end.kind) {
    case 'done':
      return end.text === '' ? 'The tool ended well and said nothing.' : end.text;
    case 'failed':
      return `The tool failed: ${end.name === 'Error' ? '' : `${end.name}: `}${end.message}`;
    case 'timed-out':
      return `The tool did not answer within ${end.afterMs / 1_000} s and was stopped. Whether it had an effect is unknown.`;
    case 'cancelled':
      return OPEN_CALL.cancelled;
    default:
      return assertNever(end);
  }
}

/** Share of a shortened result that is its beginning; the rest is its end. */
const HEAD_SHARE = 0.7;

/** A text within `budget` tokens: beginning and end, and a mark that says what was left out between. */
export function shortened(
  text: string,
  budget: number,
  rates: TokenRates,
): { text: string; fullTokens: number | null } {
  const count = (part: string) => tokensOf(countChars(part), rates);
  const tokens = count(text);
  if (tokens <= budget) return { text, fullTokens: null };
  // by the text's own density first; where its ends are denser, less
  let room = Math.floor((text.length * budget) / tokens);
  let [head, tail] = ends(text, room);
  for (; count(head) + count(tail) > budget; [head, tail] = ends(text, room)) room = Math.floor(room * 0.9);
  const left = tokens - count(head) - count(tail);
  return {
    text: `${head}\n[${left} tokens left out here; the app keeps the whole text]\n${tail}`,
    fullTokens: tokens,
  };
}

function ends(text: string, room: number): [head: string, tail: string] {
  const head = Math.floor(room * HEAD_SHARE);
  return [atLineEnd(text.slice(0, head)), atLineStart(text.slice(text.length - (room - head)))];
}

/** Up to the last line break, where there is one in the last quarter; never inside a character. */
function atLineEnd(text: string): string {
  const at = text.lastIndexOf('\n');
  if (at > text.length * 0.75) return text.slice(0, at);
  return isHighHalf(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}
function atLineStart(text: string): string {
  const at = text.indexOf('\n');
  if (at >= 0 && at < text.length * 0.25) return text.slice(at + 1);
  return isHighHalf(text.charCodeAt(0) - 0x400) ? text.slice(1) : text;
}
const isHighHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
