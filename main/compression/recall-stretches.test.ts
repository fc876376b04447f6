/** How a message is cut into stretches that may be quoted. A stretch has about 420 characters; a CJK one counts three. */
import { describe, expect, test } from 'vitest';
import { rankPassages } from './recall';
import { recallTerms } from './recall-terms';

const LONG = 420;

/** The stretch of that message that answers best. */
const stretch = (text: string, question = 'oak'): string | undefined => {
  const terms = recallTerms(question);
  const common = { of: 200, budget: 10_000, strict: false, count: (quoted: string) => quoted.length };
  return rankPassages([{ seq: 1, role: 'user', text }], { ...common, terms, counts: terms.map(() => 2) })[0]?.text;
};
/** So many sentences, of which the first answers. */
const run = (first: string, other: string, times: number) => first + other.repeat(times - 1);

describe('a message that is short enough', () => {
  test('is quoted as it is, without what is blank around it', () => {
    expect(stretch('\n\n  The oak fell. \n\n')).toBe('The oak fell.');
  });
  test.each([
    ['', 'The old oak was red. ', 'It rained all night. ', 20, 10],
    ['Chinese ', '橡树倒。', '雨下了。', 35, 17],
  ])(
    '%sis one stretch up to the limit; a longer one is cut between its sentences',
    (_name, first, other, most, half) => {
      const question = first.startsWith('橡') ? '橡树' : 'oak';
      const whole = run(first, other, most);
      expect(stretch(whole, question)).toBe(whole.trim());
      const parts = [run(first, other, half), other.repeat(half)];
      expect(stretch(parts.join('') + other.repeat(most + 1 - 2 * half), question)).toBe(
        parts.map((part) => part.trim()).join('\n'),
      );
    },
  );
});

describe('a long one is cut where a sentence ends', () => {
  test.each([
    ['.', 'The oak fell it was', 'Rain fell for a week', ' '],
    ['!', 'The oak fell it was', 'Rain fell for a week', ' '],
    ['?', 'The oak fell it was', 'Rain fell for a week', ' '],
    ['。', '橡树昨天夜里倒下了', '雨下了很久很久很久很', ''],
    ['\n', 'the oak fell, it was', '- rain fell for days', ''],
  ])('with %j', (mark, first, other, space) => {
    const text = run(first + mark + space, other + mark + space, 24);
    const found = stretch(text, mark === '。' ? '橡树' : 'oak') ?? '';
    const sentences = found.split(/(?<=[.!?。])\s?|\n/).filter((part) => part !== '');
    expect(sentences.length).toBeGreaterThan(10);
    for (const [i, one] of sentences.entries()) expect(one).toBe((i === 0 ? first : other) + mark.trim());
  });
  test('or anywhere, where none ends', () => {
    const text = `${'rain '.repeat(120)}oak ${'rain '.repeat(120)}`;
    expect(stretch(text)).toBe(text.slice(LONG, 2 * LONG).trim());
    const chinese = `${'雨'.repeat(200)}橡树${'雨'.repeat(200)}`;
    expect(stretch(chinese, '橡树')).toBe(chinese.slice(LONG / 3, (2 * LONG) / 3));
  });
});

describe('paragraphs', () => {
  const long = (begin: string, length: number) => `${begin}${'-'.repeat(length - begin.length)}`;

  test('stand together as far as they fit', () => {
    expect(stretch('The oak fell.\n\nThe elm stands.\n\n\nThe fir too.', 'oak elm fir')).toBe(
      'The oak fell.\nThe elm stands.\nThe fir too.',
    );
    const [oak, elm] = [long('oak ', 219), long('elm ', 200)];
    expect(stretch(`${oak}\n\n${elm}`, 'oak elm')).toBe(`${oak}\n${elm}`);
    expect(stretch(`${oak}\n\n${elm}-`, 'oak elm')).toBe(oak);
  });
  test('that have lines are not cut between them, where the whole fits', () => {
    const list = `oak and elm:\n${long('- fir', 300)}`;
    expect(stretch(`${long('yew ', 300)}\n\n${list}`, 'oak elm')).toBe(list);
  });
});
