/** What the numbers of one answer, or of a refusal, prove about the window that its server really gives, and what they do not. Pure. */
import { marksOf } from '../compression/policy';
import type { ResultFrame, UsageFrame } from '../hosts/protocol';
import type { Measure } from './machine';
import type { Estimate } from './measure';

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

/** Estimates of what is new may be off by as much; besides, what a template adds. */
const NEW = { times: 2, tokens: 64 } as const;

/**
 * Tokens of a whole prompt by the server's count of it. Some count the new tokens alone, since they had the rest cached:
 * fewer than was counted of the beginning, and about as many as came since. Then both together are the whole.
 */
export function countedWhole(
  prompt: number,
  { measure, sinceCount }: Pick<Estimate, 'measure' | 'sinceCount'>,
): number {
  if (sinceCount === null) return prompt;
  const beginning = measure.tokens - sinceCount;
  const newAlone = prompt < beginning && prompt <= sinceCount * NEW.times + NEW.tokens;
  return newAlone ? beginning + prompt : prompt;
}

/**
 * The window that a refusal names, where it is one: some versions of vLLM name what is left beside the answer that was
 * asked for (vllm-project/vllm#33418). Tokens; null = it names none, or not the window.
 */
export function windowNamed(named: unknown, maxTokens: number, served: number | null): number | null {
  if (typeof named !== 'number') return null;
  return named + maxTokens === served ? null : named;
}

/**
 * True where the server's own count says that the prompt fits: it refused for the answer that was asked for besides.
 * A shorter answer is the cure then, not a compression. `served` = its window, as far as it is known.
 */
export function fitsAlone(needTokens: unknown, served: number | null, outputCap: number | null): boolean {
  return typeof needTokens === 'number' && served !== null && needTokens <= marksOf(served, outputCap, 0).usable;
}
