import type { CharCounts } from '../lib/char-counts';
import type { TokenRates } from './registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from './token-estimate';

/** Before anything was measured: 3 characters of Latin text a token, one of CJK. Too many rather than too few. */
export const DEFAULT_RATES: TokenRates = { ascii: 1 / 3, cjk: 1, other: 0.75, calibrated: false };

/**
 * The practice model's vocabulary has 640 entries and falls back to bytes. Measured with its own tokenizer: English
 * prose 0.36 to 0.61, Markdown and code 0.76 to 0.80, CJK 3.0, Cyrillic and umlauts 1.9 to 2.0 tokens a character.
 */
export const PRACTICE_RATES: TokenRates = { ascii: 0.7, cjk: 3, other: 2, calibrated: true };

type Script = keyof CharCounts;

/** No tokenizer in use lies outside these. */
const BOUNDS = { ascii: [0.12, 1.1], cjk: [0.3, 3.2], other: [0.15, 3.2] } as const;
/**
 * A prompt of this many tokens takes over half of the difference, a longer one more: it is the best there is to say of
 * the next, which most often begins with it. Before anything was measured the rates are a guess, and weigh less.
 * Chosen on the recorded conversations: with twice as much, a change of language takes more than three turns.
 */
const HALF = { guessed: 100, known: 200 } as const;
/** Shorter prompts say more about the template than about the text. */
const LEAST_TOKENS = 64;
/** A count this far from the estimate has another cause than the tokenizer. */
const BELIEVABLE = [0.25, 4] as const;

/** One answered request: what was sent, and how many prompt tokens the server says that it was. */
export interface Observation {
  readonly sent: CharCounts;
  readonly messages: number;
  readonly promptTokens: number;
  /** The window that was asked for or is served; null = unknown. */
  readonly window: number | null;
}

/** A count of the server under this share of ours has another cause than the tokenizer. */
export const CUT_SHARE = 0.8;
/** The same before anything was measured: our first rates count Latin text by a third too many. */
export const GUESSED_SHARE = 0.5;

/**
 * True where the server's count looks like a prompt that it has cut: near half or all of the window (within 5 %)
 * and under 80 % of our own count.
 */
export function looksCut(promptTokens: number, counted: number, window: number | null): boolean {
  if (window === null || promptTokens >= counted * CUT_SHARE) return false;
  const near = (size: number) => Math.abs(promptTokens - size) <= size * 0.05;
  return near(window) || near(window / 2);
}

/** The rates after one more observation; the same object where it teaches nothing. */
export function calibrate(rates: TokenRates, seen: Observation): TokenRates {
  const overhead = seen.messages * MESSAGE_OVERHEAD;
  const estimate = tokensOf(seen.sent, rates);
  if (seen.promptTokens < LEAST_TOKENS || estimate <= 0) return rates;
  if (looksCut(seen.promptTokens, estimate + overhead, seen.window)) return rates;
  const told = Math.max(1, seen.promptTokens - overhead);
  const factor = told / estimate;
  if (factor < BELIEVABLE[0] || factor > BELIEVABLE[1]) return rates;
  const weight = told / (told + (rates.calibrated ? HALF.known : HALF.guessed));
  // Each script moves by its share of the estimate: a text without CJK says nothing about CJK.
  const share = (script: Script) => (seen.sent[script] * rates[script]) / estimate;
  // so that the estimate of this very text moves by `weight`, however its scripts share it
  const whole = share('ascii') ** 2 + share('cjk') ** 2 + share('other') ** 2;
  const moved = (script: Script) => {
    const [least, most] = BOUNDS[script];
    const rate = rates[script] * (1 + (weight * share(script) * (factor - 1)) / whole);
    return Math.min(most, Math.max(least, rate));
  };
  return { ascii: moved('ascii'), cjk: moved('cjk'), other: moved('other'), calibrated: true };
}

/** A measured speed joins the known one. It falls at once and rises slowly: patience must not be too short. */
export function smoothed(known: number | null, measured: number): number {
  if (!Number.isFinite(measured) || measured <= 0) return known ?? 0;
  if (known === null) return measured;
  return measured < known ? (known + measured) / 2 : known * 0.8 + Math.min(measured, known * 2) * 0.2;
}
