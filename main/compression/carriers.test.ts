import { describe, expect, test } from 'vitest';
import type { MessageRole } from '../../shared/model/message';
import { AnchorBook } from './anchors';
import { lineAround, type PlacedAnchor, placeAnchors } from './carriers';
import { Corrections } from './newer-wins';
import { readMessage, type SourceMessage } from './read-message';

const said = (...texts: readonly (readonly [MessageRole, string])[]) =>
  texts.map(([role, text], i): SourceMessage => ({ seq: i + 1, role, text }));

/** The anchors of messages, placed. `readable` = what is found when they are looked at again. */
function placed(
  messages: readonly SourceMessage[],
  readable = (seq: number): SourceMessage | null => messages[seq - 1] ?? null,
): PlacedAnchor[] {
  const book = new AnchorBook({ from: 1, to: messages.length });
  for (const message of messages) book.add(readMessage(message));
  return placeAnchors(book.ranked(), readable, new Corrections(book.corrections()));
}
const linesOf = (...texts: readonly (readonly [MessageRole, string])[]) =>
  Object.fromEntries(placed(said(...texts)).map(({ text, line }) => [text, line]));

describe('an anchor is put back', () => {
  test.each<[string, MessageRole, string, Record<string, string>]>([
    [
      'with its sentence, also where the user typed an order',
      'user',
      'Never restart db-orders-01 at noon.',
      {
        'Never restart db-orders-01 at noon.': 'Never restart db-orders-01 at noon.',
        'db-orders-01': 'Never restart db-orders-01 at noon.',
      },
    ],
    ['alone where an answer gives the order', 'assistant', 'Never restart db-1 then.', { 'db-1': 'db-1' }],
    ['alone out of a table', 'assistant', '| ORD-1423 | open |', { 'ORD-1423': 'ORD-1423' }],
    ['alone out of code', 'assistant', '```\nrun(ORD-1423)\n```', { 'ORD-1423': 'ORD-1423' }],
    [
      'alone where its line only leads to the next',
      'assistant',
      'Before MIG-159 as a script:',
      { 'MIG-159': 'MIG-159' },
    ],
    ['alone where a Chinese line does', 'assistant', '脚本 MIG-159：', { 'MIG-159': 'MIG-159' }],
    [
      'with its sentence where a colon stands inside it',
      'assistant',
      'The check: MIG-159 as a script.',
      { 'MIG-159': 'The check: MIG-159 as a script.' },
    ],
  ])('%s', (_, role, text, lines) => {
    expect(linesOf([role, text])).toEqual(lines);
  });

  test('alone where its message is found no more', () => {
    const messages = said(['assistant', 'The ticket is ORD-1423.']);
    expect(placed(messages, () => null)).toMatchObject([{ text: 'ORD-1423', seq: 1, line: 'ORD-1423' }]);
  });

  test('from an older message where the newest is found no more', () => {
    const messages = said(['assistant', 'The ticket is ORD-1423.'], ['assistant', 'See ORD-1423 again.']);
    const older = placed(messages, (seq) => (seq === 1 ? (messages[0] ?? null) : null));
    expect(older).toMatchObject([{ text: 'ORD-1423', seq: 1, line: 'The ticket is ORD-1423.' }]);
  });

  test('by reading each message once, however many it holds', () => {
    const messages = said(['assistant', 'See ORD-1 and ORD-2.'], ['assistant', 'And ORD-3 or ORD-4.']);
    const read: number[] = [];
    const anchors = placed(messages, (seq) => {
      read.push(seq);
      return messages[seq - 1] ?? null;
    });
    expect(anchors).toHaveLength(4);
    expect(read.sort()).toEqual([1, 2]);
  });
});

describe('what a correction replaced', () => {
  const corrected = 'Actually the maintenance window begins at 03:00.';
  test('is no anchor any more, nor is the rule that names it', () => {
    const lines = linesOf(['user', 'Never restart it before the maintenance window at 02:00.'], ['user', corrected]);
    expect(lines).toStrictEqual({ [corrected]: corrected, '03:00': corrected });
  });
  test('leaves a rule that names nothing of it', () => {
    const rule = 'Never restart it before the maintenance window.';
    expect(linesOf(['user', rule], ['user', corrected])).toHaveProperty([rule], rule);
  });
});

describe('the words around an anchor', () => {
  const long = `After the long talk about everything else that was on the list for that day, ${'and so on, '.repeat(8)}the copy to the new machine takes 42 min for all of the orders, ${'and more of this, '.repeat(8)}as we saw.`;
  /** Words without a bound, which fill the room behind an anchor. */
  const tail = ' tail'.repeat(30);
  const head = 'head '.repeat(30);

  test('of a long sentence its clause is taken, from a word’s bound to a word’s bound', () => {
    expect(lineAround(long, '42 min')).toBe('the copy to the new machine takes 42 min for all of the');
  });
  test('a short sentence is taken whole', () => {
    expect(lineAround('The copy takes 42 min.', '42 min')).toBe('The copy takes 42 min.');
  });
  test('a longer one is taken whole where it holds more anchors', () => {
    const one = 'The copy of the first of the machines to the second one takes 42 min.';
    expect(lineAround(one, '42 min')).not.toBe(one);
    const two = one.replace('first of the machines', 'machine db-orders-1');
    expect(lineAround(two, '42 min')).toBe(two);
  });
  test('without any bound it is cut all the same', () => {
    const line = lineAround(`${'x'.repeat(500)}-42-${'y'.repeat(500)}`, '42');
    expect(line).toContain('42');
    expect(line.length).toBeLessThan(100);
  });
  test('of two places the one is taken where it stands by itself', () => {
    expect(lineAround(`It was 13 days${tail}, but now it is 3 days.`, '3 days')).toBe('but now it is 3 days.');
  });

  describe('before it', () => {
    const begins = (before: string) => lineAround(`${before}HERE${tail}`, 'HERE').split('HERE')[0];
    test.each([
      ['all, where 46 characters stand there', `${'a'.repeat(45)} `, `${'a'.repeat(45)} `],
      ['whole words, where it is one more', `b ${'a'.repeat(44)} `, `${'a'.repeat(44)} `],
      ['the first clause in reach', `${head}two, three, four five `, 'three, four five '],
      ['no clause that ends at the anchor', `${'head '.repeat(10)}it, (`, `${'head '.repeat(8)}it, (`],
      ['no half of a number or of a time', `${'head '.repeat(10)}at 10:30 `, `${'head '.repeat(7)}at 10:30 `],
      ['half of a word is none', `${'w'.repeat(60)} so `, 'so '],
    ])('%s', (_, before, expected) => {
      expect(begins(before)).toBe(expected);
    });
  });

  describe('behind it', () => {
    // what stands before it leaves room for nine characters
    const ends = (behind: string) => lineAround(`${head}HERE${behind}`, 'HERE').split('HERE')[1];
    test.each([
      ['all that fits', ` ${'a'.repeat(8)}`, ` ${'a'.repeat(8)}`],
      ['whole words, where one more does not', ` so ${'a'.repeat(7)}`, ' so'],
      ['up to the end of a clause', ' one, two', ' one'],
      ['a number whole, though it holds a comma', ' 1,000 x', ' 1,000 x'],
      ['no colon that leads to the next line', ' is so:', ' is so'],
    ])('%s', (_, behind, expected) => {
      expect(ends(behind)).toBe(expected);
    });
  });

  describe('in Chinese, where a character counts twice', () => {
    test('are taken by its clauses', () => {
      const text = `${'这是一个很长的句子，'.repeat(12)}复制到新机器需要42分钟，${'后面还有很多内容，'.repeat(12)}`;
      expect(lineAround(text, '42分钟')).toBe('这是一个很长的句子，复制到新机器需要42分钟');
    });
    test.each([
      ['a sentence of 66 units is whole', `${'很'.repeat(31)}HERE`, '^很{31}HERE$'],
      ['a longer one is not', `${'很'.repeat(32)}HERE`, '^很{23}HERE$'],
      ['without clauses it is cut between characters', `${'很'.repeat(60)}HERE${'好'.repeat(60)}`, '^很{23}HERE好{4}$'],
    ])('%s', (_, text, expected) => {
      expect(lineAround(text, 'HERE')).toMatch(new RegExp(expected));
    });
  });
});
