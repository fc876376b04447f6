import { countChars } from '../../lib/char-counts';
import type { TokenRates } from '../../providers/registry-types';
import { tokensOf } from '../../providers/token-estimate';

/** The one counter, as a function of a text. */
export const counter = (rates: TokenRates) => (text: string) => tokensOf(countChars(text), rates);
