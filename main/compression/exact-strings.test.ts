import { expect, test } from 'vitest';
import { exactStrings, indexOfExact, isMeasure, occursIn, tokensIn } from './exact-strings';

const found = (text: string) => tokensIn(text).map((exact) => `${exact.kind}: ${exact.text}`);

test.each<[string, string, string[]]>([
  [
    'a command is an identifier, a plain word a name',
    'Use `ready`, `größer` and `npm ci`; not `x1`.',
    ['name: ready', 'name: größer', 'identifier: npm ci', 'identifier: x1'],
  ],
  ['without blanks at its ends', 'Run ` npm ci ` now.', ['identifier: npm ci']],
  ['with the quotation marks inside', 'Say `echo "hi" there` now.', ['identifier: echo "hi" there']],
  ['one letter says nothing', 'Set ` a` to ` b`.', []],
])('in backticks: %s', (_name, text, expected) => {
  expect(found(text)).toEqual(expected);
});

test('a string of the longest length is one; a longer one would fill the list alone', () => {
  const address = (length: number) => 'https://example.org/'.padEnd(length, 'x');
  expect(found(`See ${address(160)} for it.`)).toEqual([`url: ${address(160)}`]);
  expect(found(`See ${address(161)} for it.`)).toEqual([]);
});

test('a pattern is asked only where the cheap pass marked the sentence', () => {
  expect(exactStrings({ text: 'It takes 42 min for /srv/a/b.ts on Monday.', marks: 0 })).toEqual([]);
});

test('a time of day and a name are no measures, whatever they end in', () => {
  const measures = tokensIn('It takes 42 min until 9 Uhr in `room 7 m`, for 12 seats and 3.5 €.').filter(isMeasure);
  expect(measures.map(({ text }) => text)).toEqual(['42 min', '3.5 €']);
});

test.each<[string, string, string, number]>([
  ['at the beginning and the end', 'db-1', 'db-1', 0],
  ['after one that goes on', 'db-12, then db-1', 'db-1', 12],
  ['not where a letter, digit or underscore goes on', 'db-12 db-1x db-1_a', 'db-1', -1],
  ['not where one stands before', 'adb-1 9db-1 _db-1 ädb-1', 'db-1', -1],
  ['between marks', '(db-1)', 'db-1', 1],
  ['between Chinese characters, which are not set apart', '主机db-1在线', 'db-1', 2],
  ['where its own first sign parts it from the word before', 'AU$40', '$40', 2],
  ['where its own last sign parts it from the word behind', '42%p', '42%', 0],
])('stands by itself: %s', (_name, text, exact, at) => {
  expect(indexOfExact(text, exact)).toBe(at);
  expect(occursIn(text, exact)).toBe(at >= 0);
});
