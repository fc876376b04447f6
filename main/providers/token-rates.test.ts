import { expect, test } from 'vitest';
import { countChars } from '../lib/char-counts';
import { tokensOf } from './token-estimate';
import { calibrate, DEFAULT_RATES, looksCut, type Observation, smoothed } from './token-rates';

const english = countChars('The quick brown fox jumps over the lazy dog. '.repeat(100));
const chinese = countChars('我们今天讨论压缩的问题。'.repeat(100));
const seen = (over: Partial<Observation>): Observation => ({
  sent: english,
  messages: 1,
  promptTokens: 1_000,
  window: null,
  ...over,
});

test('the estimate comes close to a steady tokenizer within a few requests', () => {
  let rates = DEFAULT_RATES;
  const truth = Math.round((english.ascii + english.other) / 4.4);
  for (let i = 0; i < 8; i++) rates = calibrate(rates, seen({ promptTokens: truth + 4 }));
  expect(rates.calibrated).toBe(true);
  expect(Math.abs(tokensOf(english, rates) / truth - 1)).toBeLessThan(0.05);
});

test('a longer prompt is believed more, and more before anything was measured', () => {
  const known = { ...DEFAULT_RATES, calibrated: true };
  // share of the difference that is taken over
  const taken = (rates: typeof known, tokens: number) => {
    const sent = countChars('x'.repeat(tokens * 6));
    const after = calibrate(rates, seen({ sent, promptTokens: tokens + 4 }));
    return (tokensOf(sent, rates) - tokensOf(sent, after)) / (tokensOf(sent, rates) - tokens);
  };
  expect(taken(known, 200)).toBeCloseTo(0.5, 1);
  expect(taken(known, 1_800)).toBeCloseTo(0.9, 1);
  expect(taken({ ...DEFAULT_RATES, calibrated: false }, 100)).toBeCloseTo(0.5, 1);
});

test('a text of two scripts moves as far as a text of one', () => {
  const sent = { ascii: 1_200, cjk: 400, other: 0 };
  const after = calibrate({ ...DEFAULT_RATES, calibrated: true }, seen({ sent, promptTokens: 1_604 }));
  // 800 were counted and 1,600 told, of which 1,600 / 1,800 of the difference are taken over
  expect(tokensOf(sent, after)).toBeCloseTo(800 + 800 * (1_600 / 1_800), -1);
});

test('a text in one script leaves the others alone', () => {
  const after = calibrate(DEFAULT_RATES, seen({ sent: chinese, promptTokens: 700 }));
  expect(after.cjk).toBeLessThan(DEFAULT_RATES.cjk);
  expect(after.ascii).toBeCloseTo(DEFAULT_RATES.ascii);
});

test.each([
  ['near half of the window', { promptTokens: 600, window: 1_200 }],
  ['near all of the window', { promptTokens: 600, window: 600 }],
  ['far below anything believable', { promptTokens: 70 }],
  ['a few tokens only', { promptTokens: 12, sent: countChars('hello there') }],
])('a count %s teaches nothing', (_name, over) => {
  expect(calibrate(DEFAULT_RATES, seen(over))).toBe(DEFAULT_RATES);
});

test('rates stay within what tokenizers do', () => {
  let rates = DEFAULT_RATES;
  for (let i = 0; i < 60; i++) rates = calibrate(rates, seen({ promptTokens: tokensOf(english, rates) * 3 }));
  expect(rates.ascii).toBeLessThanOrEqual(1.1);
});

test.each([
  [2_050, 3_900, 4_096, true],
  [4_000, 7_900, 4_096, true],
  [3_900, 4_000, 4_096, false],
  [2_900, 3_900, 4_096, false],
  [2_050, 3_900, null, false],
])('%i of %i counted tokens in a window of %s: cut %s', (prompt, counted, window, cut) => {
  expect(looksCut(prompt, counted, window)).toBe(cut);
});

test('a speed falls at once and rises slowly', () => {
  expect(smoothed(null, 200)).toBe(200);
  expect(smoothed(200, 40)).toBe(120);
  expect(smoothed(200, 100_000)).toBe(240);
  expect(smoothed(200, Number.NaN)).toBe(200);
});
