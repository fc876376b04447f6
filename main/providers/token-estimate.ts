import type { CharCounts } from '../lib/char-counts';
import type { TokenRates } from './registry-types';

/** Tokens that a chat template spends on each message besides its text: role marks and separators. */
export const MESSAGE_OVERHEAD = 4;

/** Tokens of a text by its characters. A whole number, rounded up, so that parts add up exactly. */
export function tokensOf(chars: CharCounts, rates: TokenRates): number {
  return Math.ceil(chars.ascii * rates.ascii + chars.cjk * rates.cjk + chars.other * rates.other);
}
