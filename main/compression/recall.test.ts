import { describe, expect, test } from 'vitest';
import { type RecallWish, rankPassages } from './recall';
import { recallTerms } from './recall-terms';

describe('passages', () => {
  const wish = (question: string, change: Partial<RecallWish> = {}): RecallWish => {
    const terms = recallTerms(question);
    return {
      terms,
      counts: terms.map(() => 2),
      of: 200,
      budget: 400,
      strict: true,
      count: (text) => text.length / 4,
      ...change,
    };
  };
  const said = (seq: number, text: string) => ({ seq, role: 'user' as const, text });
  const filler = 'It rained in the valley for the whole of that week and nobody went out to look. '.repeat(12);

  test('are the stretch of a message that answers, not the whole of it', () => {
    const [found] = rankPassages(
      [said(3, `${filler}The gate code is 5519.\n\n${filler}`)],
      wish('What is the gate code?'),
    );
    expect(found?.text).toContain('The gate code is 5519.');
    expect(found?.text.length).toBeLessThan(450);
  });
  test('of equal ones the newer is taken first, the same words only once, within the budget', () => {
    const sources = [1, 3, 5, 7].map((seq) => said(seq, `The gate code is ${seq === 7 ? 5 : seq}000.`));
    const all = rankPassages(sources, wish('What is the gate code?'));
    expect(all.map(({ seq }) => seq)).toEqual([1, 3, 7]);
    const few = rankPassages(sources, wish('What is the gate code?', { budget: 45 }));
    expect(few.map(({ seq }) => seq)).toEqual([3, 7]);
  });
  test('that hold one word of several are none, unless they were asked for', () => {
    const sources = [said(3, 'The gate is green.')];
    expect(rankPassages(sources, wish('Where does the gate in Lisbon lead, and who paints fences?'))).toEqual([]);
    expect(rankPassages(sources, wish('Where does the gate in Lisbon lead?', { strict: false }))).toHaveLength(1);
  });
});
