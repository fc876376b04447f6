import { describe, expect, test } from 'vitest';
import type { SectionName, SummarySection } from '../../shared/model/compression';
import { type Candidate, type Covered, verify } from './verify';

const section = (name: SectionName, ...lines: string[]): SummarySection => ({
  name,
  lines: lines.map((text) => ({ text, sources: [] })),
});
/** An answer without headings, unless it is said otherwise, of a source that holds all but what `unknown` finds. */
function judge(text: string, { unknown = /^$/, ...other }: Partial<Candidate & Covered> & { unknown?: RegExp } = {}) {
  const sections = other.sections ?? [section('state', text)];
  const candidate: Candidate = { text, sections, finish: 'stop', tokens: 10, ...other };
  return verify(candidate, {
    lastReplies: other.lastReplies ?? [],
    tokens: 100,
    holds: (exact) => !unknown.test(exact.text),
  });
}
const goal = (...lines: string[]) => ({ sections: [section('goal', ...lines)] });

describe('of several faults the first is the one that is named', () => {
  test.each<[string, string, string, Parameters<typeof judge>[1]?]>([
    ['empty', 'blank', '---', { finish: 'length' }],
    ['cut', 'the answer ended at its limit', 'Okay.', { finish: 'length' }],
    ['refused', 'an echo of the last reply', '{"name": "x"}', { lastReplies: ['no', '{"name": "x"}'] }],
    ['refused', 'shaped like a tool call', '{"name": "error"}', { tokens: 200 }],
    ['refused', 'shaped like an error', '<html>Sorry</html>', goal()],
    ['empty', 'nothing was said', 'Okay.', { tokens: 200 }],
    ['refused', 'shaped like an error', 'Error: I cannot help.', { tokens: 200 }],
    ['refused', 'shaped like an error', '\n **{"error": {"code": 4}}', { tokens: 200 }],
    ['refused', 'a refusal', 'I cannot help.', { tokens: 200 }],
    ['empty', 'headings without a line', '## Goal', { ...goal(), tokens: 200 }],
    ['too-large', 'not smaller than its source', 'See ORD-9.', { tokens: 200, unknown: /ORD/ }],
    ['refused', 'invented identifiers', 'See ORD-9.', { unknown: /ORD/ }],
  ])('%s: %s', (failure, why, text, other) => {
    expect(judge(text, other)).toEqual({ ok: false, failure, why });
  });
});

describe('an echo', () => {
  const reply = 'The copy takes a night.';
  test.each<[string, string, string, boolean]>([
    ['without the closing mark', 'The copy takes a night', reply, true],
    ['with a dash between the words', 'The copy - takes a night', reply, true],
    ['with four fifths of its words from the reply', 'abcd fgh x', 'abcd fgh', true],
    ['a text with less than four fifths of its words from the reply is none', 'abcd fgh xy', 'abcd fgh', false],
    ['a summary that holds a short reply is none', 'Yes, the shop is open', 'Yes', false],
    ['a part of the reply is none', 'The copy takes', reply, false],
    ['other words in the same form are none', 'One move needs a week.', reply, false],
    ['other words of the same letters are none', 'The copy takes an ight', reply, false],
    ['a reply of marks alone has no echo', 'The copy takes a night', '...', false],
  ])('%s', (_name, text, last, echo) => {
    expect(judge(text, { lastReplies: [last] }).ok).toBe(!echo);
  });
});

test('a text is judged by its first words up to 600 characters, a longer one is a summary', () => {
  const error = 'Error: '.padEnd(600, 'move ');
  expect(judge(error)).toMatchObject({ ok: false, failure: 'refused' });
  expect(judge(`${error}!`)).toMatchObject({ ok: true });
});

describe('what the source does not hold', () => {
  test.each([
    ['an address', 'https://example.org/a'],
    ['a path', '/opt/none/here'],
    ['an identifier', 'ORD-1423'],
    ['a measure', '97 min'],
  ])('%s is invented', (_name, text) => {
    expect(judge(`It is ${text}`, { unknown: /./ })).toMatchObject({ ok: false, why: 'invented identifiers' });
  });
  test.each([
    ['a date', '2026-03-03'],
    ['a count of things', '250 questions'],
  ])('%s may be written otherwise', (_name, text) => {
    expect(judge(`It is ${text}`, { unknown: /./ })).toMatchObject({ ok: true, struckLines: 0 });
  });

  const known = (count: number) => Array.from({ length: count }, (_, i) => `ORD-${i + 1}`);
  const said = (names: readonly string[]) =>
    judge('## Facts', { unknown: /XYZ/, sections: [section('goal', 'XYZ-1'), section('facts', ...names)] });

  test('one of ten is struck, and a section that is left without lines goes with it', () => {
    const facts = known(9);
    expect(said(facts)).toEqual({ ok: true, sections: [section('facts', ...facts)], struckLines: 1 });
  });
  test('more than one of ten lets the whole answer fall', () => {
    expect(said(known(8))).toMatchObject({ ok: false, failure: 'refused', why: 'invented identifiers' });
  });
  test('an answer of one line that is struck is empty', () => {
    expect(judge(`${known(9).join(', ')}, XYZ-1`, { unknown: /XYZ/ })).toEqual({
      ok: false,
      failure: 'empty',
      why: 'nothing left after striking invented lines',
    });
  });
});
