import { expect, test } from 'vitest';
import { pinned, readPatch, sameTitle, shortTitle, testPattern } from './patch.mjs';

test('a header names its test and the others that go red', () => {
  const text = '# title: P07\n# also: P17, P18\n# why: nobody would notice\ndiff --git a/x b/x\n# title: P99\n';
  expect(readPatch(text)).toEqual({ title: 'P07', also: ['P17', 'P18'], breaks: [], seed: null });
  expect(readPatch('--- a/x\n+++ b/x\n')).toEqual({ title: null, also: [], breaks: [], seed: null });
});

test('a planted fault names the invariants that it breaks', () => {
  expect(readPatch('# breaks: I3 I5\n# seed: 2\n# a fault\n--- a/x\n')).toMatchObject({
    breaks: ['I3', 'I5'],
    seed: '2',
  });
});

test('numbers are compared as numbers, never as beginnings', () => {
  expect(sameTitle(['P7 executor', 'the error surfaces'], 'P07')).toBe(true);
  expect(sameTitle(['P17 next turn'], 'P1')).toBe(false);
  expect(sameTitle(['lease I3: one commit'], 'lease I3')).toBe(true);
  expect(pinned('Pinned messages')).toEqual([]);
});

test('a title may begin with several numbers, and is of each of them', () => {
  const titles = ['one attempt', 'P16 P17 P18 a stall arms a backoff, as P3'];
  expect(['P16', 'P17', 'P18', 'P3'].map((name) => sameTitle(titles, name))).toEqual([true, true, true, false]);
  expect(shortTitle(titles)).toBe('P16+P17+P18');
  expect(shortTitle(['lease', 'I3: one commit'])).toBe('I3: one commit');
});

test('the pattern runs pinned tests and the named one, nothing else', () => {
  const pattern = new RegExp(testPattern('lease I3 (a+b)'));
  expect(pattern.test('commit fence P8 cancel arrives')).toBe(true);
  expect(pattern.test('lease I3 (a+b): one commit')).toBe(true);
  expect(pattern.test('shows the price of pins')).toBe(false);
});
