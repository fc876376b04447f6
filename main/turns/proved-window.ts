/** What the numbers of one answer, or of a refusal, prove about the window that its server really gives, and what they do not. Pure. */
import { marksOf } from '../compression/policy';
import type { ServedWindow } from '../providers/registry-types';
import { CUT_SHARE, GUESSED_SHARE } from '../providers/token-rates';
import type { Measure } from './machine';
import type { Estimate } from './measure';

/** An answer this much shorter than its limit did not end by it. */
const SHORT = 0.95;

/**
 * The window that an answer has met which ended "by length": its limit was not reached, and what was read and written fill
 * half of what was asked for. Other sums prove nothing: many servers bound answers by themselves, and one that tells its
 * window has told it. Tokens of the whole prompt and of the answer; null = nothing is proved.
 */
export function windowMet(prompt: number, output: number, maxTokens: number, window: ServedWindow): number | null {
  const { served, source } = window;
  if (served === null || source === 'server' || output >= maxTokens * SHORT) return null;
  const met = prompt + output;
  return Math.abs(met - served / 2) <= served * 0.025 ? met : null;
}

/**
 * True where a count is so far under ours that the server may have read a part alone; before anything was measured our own
 * counts too many. A server that counts new tokens alone has read all.
 */
export function mayBeCut(
  prompt: number,
  measured: Pick<Estimate, 'measure' | 'sinceCount'>,
  calibrated: boolean,
): boolean {
  const share = calibrated ? CUT_SHARE : GUESSED_SHARE;
  return prompt < measured.measure.tokens * share && countedWhole(prompt, measured) === prompt;
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
 * far fewer than the whole is measured as, and about as many as came since. Then both together are the whole.
 */
export function countedWhole(
  prompt: number,
  { measure, sinceCount }: Pick<Estimate, 'measure' | 'sinceCount'>,
): number {
  if (sinceCount === null) return prompt;
  const beginning = measure.tokens - sinceCount;
  const newAlone = prompt < measure.tokens * CUT_SHARE && prompt <= sinceCount * NEW.times + NEW.tokens;
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
