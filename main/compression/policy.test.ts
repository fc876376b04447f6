import { describe, expect, test } from 'vitest';
import type { StreamPhase } from '../hosts/protocol';
import {
  ceilingMs,
  coarseRates,
  commitsPruned,
  marksOf,
  needOf,
  type PartSizes,
  type Pruned,
  partSizes,
  patienceMs,
  strategyRow,
  summaryBudget,
} from './policy';

describe('marks', () => {
  test('the reserve is the model’s cap, at most a quarter of the window; marks are shares of what is left', () => {
    expect(marksOf(8_192, null, 0)).toEqual({ usable: 6_144, reserve: 2_048, soft: 3_686, hard: 4_915, target: 2_457 });
    expect(marksOf(8_192, 512, 0).reserve).toBe(512);
  });
  test('long turns move the soft mark up, and take it away where not one fits', () => {
    expect(marksOf(8_192, null, 600).soft).toBe(4_257); // target and three turns
    expect(marksOf(8_192, null, 1_000).soft).toBe(4_608); // 75 % at most
    expect(marksOf(8_192, null, 3_000).soft).toBeNull();
    // one turn fits between target and soft mark to the token, then not even one
    expect(marksOf(8_000, null, 2_100).soft).toBe(4_500);
    expect(marksOf(8_000, null, 2_101).soft).toBeNull();
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
  test('a model that the user did not ask for was passed over by choice', () => {
    expect(row({ need: 'manual', chosen: ['extract'], whyNot: 'cannot-summarize' }).noModel).toBe('chosen');
    expect(row({ need: 'manual', chosen: ['prune'] }).noModel).toBe('chosen');
    expect(row({ need: 'manual', chosen: ['prune', 'summarize'] }).noModel).toBeNull();
    expect(row({ need: 'ahead' }).noModel).toBeNull();
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

describe('lines in the place of bulky messages are committed as they are', () => {
  const marks = marksOf(8_192, null, 0); // usable 6,144, target 2,457
  const base: Pruned = { saved: 100, request: 5_000, shown: 4_000, marks, need: 'must', more: false };
  test.each<[string, Partial<Pruned>, boolean]>([
    ['where they bring the request to the target, though a summary may follow', { saved: 2_543, more: true }, true],
    ['not where they miss the target by a token and a summary may follow', { saved: 2_542, more: true }, false],
    ['not for a request that was below the target before', { request: 2_000, more: true }, false],
    ['not for a request that was at the target before', { request: 2_457, more: true }, false],
    ['where nothing follows and they take a tenth of their range', { saved: 400 }, true],
    ['not where nothing follows and they take less', { saved: 399 }, false],
    ['where nothing follows and they just make the request fit', { request: 6_244 }, true],
    ['not where the request is still a token too large', { request: 6_245 }, false],
    ['not where the request fitted to the token before', { request: 6_144 }, false],
    ['where little makes the request fit, but not before a summary', { request: 6_244, more: true }, false],
    ['by hand for any gain', { saved: 1, need: 'manual' }, true],
    ['not by hand for none', { saved: 0, need: 'manual' }, false],
    ['not by hand where a summary may follow', { saved: 1, need: 'manual', more: true }, false],
  ])('%s', (_name, some, commits) => {
    expect(commitsPruned({ ...base, ...some })).toBe(commits);
  });
});

test.each<[number | null, number, PartSizes]>([
  [null, 614, { chunk: 6_000, notes: 1_024, fold: 6_000, summary: 1_228 }],
  [1_936, 2_000, { chunk: 1_195, notes: 341, fold: 1_024, summary: 512 }],
  [4_096, 200, { chunk: 2_672, notes: 1_024, fold: 3_296, summary: 400 }],
  [131_072, 2_000, { chunk: 6_000, notes: 1_024, fold: 126_672, summary: 4_000 }],
])(
  'a window of %s with a budget of %i: two budgets for the summary, a third of what it has at most',
  (served, budget, sizes) => {
    expect(partSizes(served, budget)).toEqual(sizes);
  },
);

test.each<[StreamPhase, number | null, number]>([
  ['connecting', null, 30_000],
  ['loading', null, 120_000],
  ['reading', null, 60_000 + 200_000], // 30 tokens a second until it was measured, and three times that long
  ['reading', 1_000, 60_000 + 6_000],
  ['writing', 1_000, 60_000],
])('patience with a model that is %s, for 2,000 tokens at %s a second', (phase, rate, ms) => {
  expect(patienceMs(phase, 2_000, rate)).toBe(ms);
});
test('a chunk may be written for five minutes beyond the patience for reading it', () => {
  expect(ceilingMs(2_000, 1_000)).toBe(366_000);
});

test('coarse rates are never below the real ones and a small calibration does not move them', () => {
  const rates = (ascii: number) => coarseRates({ ascii, cjk: 1, other: 0.5, calibrated: true }).ascii;
  expect(rates(0.3)).toBeGreaterThanOrEqual(0.3);
  expect(rates(0.3) / 0.3).toBeLessThan(1.25);
  expect(rates(0.31)).toBe(rates(0.3));
  expect([1, 1.25, rates(0.3)].map(rates)).toEqual([1, 1.25, rates(0.3)]); // a whole step stays where it is
});
