import { expect, test } from 'vitest';
import type { Measure } from './machine';
import { countedWhole } from './proved-window';

const measured = (tokens: number, sinceCount: number | null) => ({ measure: { tokens } as Measure, sinceCount });

test.each([
  ['counts all', 5_000, 5_100, 300, 5_000],
  ['counts what is new alone', 290, 5_100, 300, 5_090],
  ['counts what is new alone, of more than there was before', 2_048, 3_646, 2_009, 3_685],
  ['was counted for the first time', 900, 5_100, null, 900],
  ['counts far fewer than what is new could be', 3_000, 5_100, 300, 3_000],
])('a server that %s: %i of %i, %s of them new, are %i', (_what, told, tokens, since, whole) => {
  expect(countedWhole(told, measured(tokens, since))).toBe(whole);
});
