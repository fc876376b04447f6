/** What the numbers of one answer prove about the window that its server really gives. Pure. */
import type { ResultFrame, UsageFrame } from '../hosts/protocol';
import type { Measure } from './machine';

/** An answer this much shorter than its limit did not end by it. */
const SHORT = 0.95;

/**
 * The window that an answer has met: it ended "by length" although its limit was not reached, so that what was read and
 * what was written fill it. Tokens; null = nothing is proved.
 */
export function windowMet(finish: ResultFrame['finish'], usage: UsageFrame, maxTokens: number): number | null {
  const { prompt, output } = usage;
  if (finish !== 'length' || !prompt || !output || output >= maxTokens * SHORT) return null;
  return prompt + output;
}

/**
 * True where an answer without a word most likely means "too long": the request filled its window past the hard mark.
 * Some servers say nothing else.
 */
export function isCrowded({ tokens, marks }: Measure): boolean {
  return marks !== null && tokens > marks.hard;
}
