import { describe, expect, test } from 'vitest';
import { containsOlder, coveringSummary, crosses, shownIn, shownSummaries, type ViewRow } from './view';

/** Rows in the order given; the later the newer. */
const rows = (...ranges: [number, number, ViewRow['kind']?][]): ViewRow[] =>
  ranges.map(([coversFrom, coversTo, kind = 'text'], index) => ({ id: index + 1, coversFrom, coversTo, kind }));
const ids = (some: readonly ViewRow[]) => some.map((row) => row.id);

test.each<[string, ViewRow[], number[]]>([
  ['nothing', [], []],
  ['disjoint ones in the order of the path', rows([11, 20], [1, 10]), [2, 1]],
  ['the one that holds others', rows([1, 4], [5, 8], [1, 8]), [3]],
  ['the one that holds others, however old', rows([1, 8], [5, 8]), [1]],
  ['the newest of equal ranges', rows([1, 8], [1, 8], [1, 8]), [3]],
  ['one that begins where another has ended', rows([1, 4], [5, 5]), [1, 2]],
  ['no lines in the place of messages', rows([1, 4], [1, 8, 'stubs']), [1]],
])('the view shows %s', (_name, all, shown) => {
  expect(ids(shownSummaries(all))).toEqual(shown);
});

describe('undoing a summary of 5 to 10 shows older ones again', () => {
  test.each<[boolean, string, [number, number, ViewRow['kind']?]]>([
    [true, 'inside of it', [6, 9]],
    [true, 'of the same range', [5, 10]],
    [true, 'from the same start', [5, 7]],
    [true, 'to the same end', [8, 10]],
    [false, 'that begin before it', [4, 9]],
    [false, 'that end after it', [6, 11]],
    [false, 'that hold it', [1, 20]],
    [false, 'elsewhere before', [1, 4]],
    [false, 'elsewhere after', [11, 12]],
    [false, 'that are lines in the place of messages', [6, 9, 'stubs']],
  ])('%s: where there are some %s', (answer, _name, other) => {
    const [row, ...rest] = rows([5, 10], other);
    expect(row && containsOlder([row, ...rest], row)).toBe(answer);
  });

  test('not where it is the only one', () => {
    const [row] = rows([5, 10]);
    expect(row && containsOlder([row], row)).toBe(false);
  });
});

test.each([
  [2, null],
  [3, 1],
  [6, 1],
  [7, null],
  [8, null],
  [9, 2],
  [12, 2],
  [13, null],
])('the summary that holds message %i', (seq, id) => {
  expect(coveringSummary(rows([3, 6], [9, 12]), seq)?.id ?? null).toBe(id);
});

test.each<[boolean, string, [number, number], [number, number]]>([
  [true, 'in more than one message', [1, 6], [4, 9]],
  [true, 'in one message', [1, 4], [4, 9]],
  [false, 'nowhere, side by side', [1, 3], [4, 9]],
  [false, 'nowhere, far apart', [1, 3], [7, 9]],
  [false, 'one inside the other', [1, 9], [4, 6]],
  [false, 'one inside the other, to the same end', [1, 9], [4, 9]],
  [false, 'one inside the other, from the same start', [1, 4], [1, 9]],
  [false, 'equal', [4, 6], [4, 6]],
])('%s is that ranges cross which overlap %s, whichever is named first', (answer, _name, one, other) => {
  const [a, b] = rows(one, other);
  expect(a && b && [crosses(a, b), crosses(b, a)]).toEqual([answer, answer]);
});

test.each<[string, number, number, number[]]>([
  ['between two', 7, 8, []],
  ['before all', 1, 2, []],
  ['after all', 13, 20, []],
  ['to the first message of one', 1, 3, [1]],
  ['from the last message of one', 6, 8, [1]],
  ['inside of one', 10, 11, [2]],
  ['around all', 1, 20, [1, 2]],
])('a range is touched by what has a message of it: %s', (_name, from, to, touching) => {
  expect(ids(shownIn(rows([3, 6], [9, 12]), from, to))).toEqual(touching);
});
