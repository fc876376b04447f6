/** Which passages answer a question, and how many of them are taken. */
import { describe, expect, test } from 'vitest';
import type { MessageRole } from '../../shared/model/message';
import { type RecallWish, rankPassages } from './recall';
import { recallTerms } from './recall-terms';

const said = (seq: number, text: string, role: MessageRole = 'assistant') => ({ seq, role, text });
/** Asked of 200 messages, two of which hold each word unless told otherwise; a passage costs 10 + 16 tokens. */
const ask = (
  question: string,
  sources: readonly ReturnType<typeof said>[],
  { held = {}, ...change }: Partial<RecallWish> & { held?: Readonly<Record<string, number>> } = {},
): number[] => {
  const terms = recallTerms(question);
  const counts = terms.map(({ text, kind }) => held[kind === 'stem' ? `${text}*` : text] ?? 2);
  const common = { of: 200, budget: 10_000, strict: true, count: () => 10 };
  return rankPassages(sources, { ...common, terms, counts, ...change }).map(({ seq }) => seq);
};
const numbered = (many: number) => Array.from({ length: many }, (_, i) => said(i + 1, `Oak number ${i + 1} fell.`));

describe('where nobody asked, only what clearly answers', () => {
  const clear = (question: string, text: string, others: readonly string[] = [], held = {}, of = 200) => {
    const sources = [text, ...others].map((one, i) => said(i + 1, one));
    return ask(question, sources, { held, of }).includes(1);
  };

  test.each([
    ['two words of four', 'oak elm fir ash', 'An oak and an elm.', ['A fir, an ash.'], true],
    ['two words of six', 'oak elm fir ash yew box', 'An oak and an elm.', ['A fir, an ash.', 'A yew, a box.'], false],
    ['one word of two', 'oak elm', 'An oak.', ['An elm.'], false],
    ['the only word', 'oak', 'An oak.', [], true],
    ['one word, where nothing holds the other', 'oak elm', 'An oak.', [], true],
    ['one word, where nothing holds the two others', 'oak elm fir', 'An oak.', [], false],
  ])('%s', (_name, question, text, others, expected) => {
    expect(clear(question, text, others)).toBe(expected);
  });

  test.each([
    [20, 200, true],
    [21, 200, false],
    [3, 10, true],
    [4, 10, false],
  ])('one word that %i of %i messages hold is enough: %s', (oak, of, expected) => {
    expect(clear('oak', 'An oak.', [], { oak }, of)).toBe(expected);
  });

  test('a rare word is enough, however many messages hold others with its stem', () => {
    expect(clear('harbours', 'The harbours.', [], { 'harbou*': 100 })).toBe(true);
  });
});

describe('of several', () => {
  test('a word that few hold outweighs one that many hold, so far that the other is left out', () => {
    const sources = [said(1, 'The oak fell.'), said(2, 'The elm fell.')];
    expect(ask('oak elm', sources, { strict: false, held: { oak: 1, elm: 150 } })).toEqual([1]);
    expect(ask('oak elm', sources, { strict: false })).toEqual([1, 2]);
  });
  test('a word that the index does not count yet is found as well', () => {
    expect(ask('oak', [said(1, 'The oak fell.')], { held: { oak: 0 } })).toEqual([1]);
  });
  test('eight are taken, the newest ones', () => {
    expect(ask('oak', numbered(10))).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  });
  test.each([
    [52, [2, 3]],
    [51, [3]],
    [25, []],
  ])('a budget of %i holds what costs as much', (budget, seqs) => {
    expect(ask('oak', numbered(3), { budget })).toEqual(seqs);
  });
  test('the user’s own words come before newer ones of an answer', () => {
    const sources = [said(1, 'The oak is red.', 'user'), said(2, 'The oak is dead.')];
    expect(ask('oak', sources, { budget: 26 })).toEqual([1]);
  });
});
