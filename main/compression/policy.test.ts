import { describe, expect, test } from 'vitest';
import { coarseRates, marksOf, needOf, strategyRow, summaryBudget } from './policy';

describe('marks', () => {
  test('the reserve is the model’s cap, at most a quarter of the window; marks are shares of what is left', () => {
    expect(marksOf(8_192, null, 0)).toEqual({ usable: 6_144, reserve: 2_048, soft: 3_686, hard: 4_915, target: 2_457 });
    expect(marksOf(8_192, 512, 0).reserve).toBe(512);
  });
  test('long turns move the soft mark up, and take it away where not one fits', () => {
    expect(marksOf(8_192, null, 600).soft).toBe(4_257); // target and three turns
    expect(marksOf(8_192, null, 1_000).soft).toBe(4_608); // 75 % at most
    expect(marksOf(8_192, null, 3_000).soft).toBeNull();
  });
  test('what a request needs', () => {
    const marks = marksOf(8_192, null, 0);
    expect([4_914, 4_915, 6_144, 6_145].map((tokens) => needOf(tokens, marks))).toEqual([
      null,
      'pressure',
      'pressure',
      'must',
    ]);
    expect(needOf(10 ** 9, null)).toBeNull(); // an unknown window never blocks
  });
  test('a summary has a tenth of the usable window, within bounds', () => {
    expect([1_000, 6_144, 100_000].map(summaryBudget)).toEqual([200, 614, 2_000]);
  });
});

describe('rows of strategies', () => {
  const row = (input: Partial<Parameters<typeof strategyRow>[0]>) =>
    strategyRow({
      need: 'must',
      chosen: null,
      whyNot: null,
      summarizePaused: false,
      prunePaused: false,
      reviewed: false,
      bulkyResults: false,
      extractAllowed: true,
      ...input,
    });

  test('P17 a paused strategy is passed over, except by hand', () => {
    expect(row({ summarizePaused: true })).toEqual({ strategies: ['prune', 'extract'], noModel: 'in-backoff' });
    expect(row({ need: 'pressure', summarizePaused: true }).strategies).toEqual([]);
    expect(row({ need: 'manual', chosen: ['summarize'], summarizePaused: true }).strategies).toEqual(['summarize']);
  });
  test('a model that cannot summarize is passed over, and by hand extract takes its place', () => {
    expect(row({ whyNot: 'cannot-summarize' })).toEqual({
      strategies: ['prune', 'extract'],
      noModel: 'cannot-summarize',
    });
    expect(row({ need: 'manual', chosen: ['summarize'], whyNot: 'cannot-summarize' }).strategies).toEqual(['extract']);
    expect(row({ need: 'ahead', whyNot: 'cannot-summarize' }).strategies).toEqual([]);
  });
  test('pruning comes first, and alone only where a bulky result is in sight', () => {
    expect(row({}).strategies).toEqual(['prune', 'summarize', 'extract']);
    expect(row({ prunePaused: true }).strategies).toEqual(['summarize', 'extract']);
    expect(row({ reviewed: true }).strategies).toEqual(['summarize', 'extract']);
    expect(row({ need: 'ahead', whyNot: 'cannot-summarize', bulkyResults: true }).strategies).toEqual(['prune']);
    expect(row({ need: 'pressure', summarizePaused: true, bulkyResults: true }).strategies).toEqual(['prune']);
    expect(row({ need: 'manual', chosen: ['prune'], prunePaused: true }).strategies).toEqual(['prune']);
  });
  test('extract can be switched off', () => {
    expect(row({ extractAllowed: false }).strategies).toEqual(['prune', 'summarize']);
    expect(row({ extractAllowed: false, summarizePaused: true }).strategies).toEqual([]);
  });
});

test('coarse rates are never below the real ones and a small calibration does not move them', () => {
  const rates = (ascii: number) => coarseRates({ ascii, cjk: 1, other: 0.5, calibrated: true }).ascii;
  expect(rates(0.3)).toBeGreaterThanOrEqual(0.3);
  expect(rates(0.3) / 0.3).toBeLessThan(1.25);
  expect(rates(0.31)).toBe(rates(0.3));
});
