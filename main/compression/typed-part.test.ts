import { describe, expect, test } from 'vitest';
import { typedPart } from './typed-part';

/** Words of a certain length. */
const long = (length: number, begin = '') =>
  begin
    .padEnd(length, 'word ')
    .slice(0, length - 1)
    .concat('.');

describe('a single line was typed as a whole, whatever it looks like', () => {
  test.each([
    'Subject: never deploy on a Friday',
    '2026-03-01 is the day of the move',
    'ERROR is the only level to log',
    '```not a block',
    long(2_000, '2026-03-01 '),
  ])('%.60s', (text) => expect(typedPart(text)).toBe(text));

  test('but not one of more than 2,000 characters', () => {
    expect(typedPart(long(2_001))).toBe('');
  });
});

describe('of a message with more in it', () => {
  test.each<[string, string, string]>([
    ['its lines stay as they are', 'one\ntwo\n\nthree', 'one\ntwo\n\nthree'],
    ['a block of code goes', 'one\n```\ncode\n```\ntwo', 'one\n\ntwo'],
    ['a block that is not closed goes', 'one\n~~~\ncode', 'one\n'],
    ['lines of code, quotes, tables and logs go', 'one\n> said\n| a |\n\tx\n12:00:00 up\n$ ls\ntwo', 'one\ntwo'],
    ['a paragraph of such lines leaves no gap', 'one\n\n> said\n> so\n\ntwo', 'one\n\ntwo'],
    ['blank lines with blanks in them part paragraphs too', 'one\n \t \ntwo\n\n\n\nthree', 'one\n\ntwo\n\nthree'],
    ['a mail that follows goes', 'one\n\nFrom: Ann\nnever do it', 'one'],
    ['a message that begins with a mail has nothing of its own', 'From: Ann\nnever do it', ''],
    ['what follows an announcement goes', 'This is the error message:\nnever do it', 'This is the error message:'],
    ['the earlier of a mail and an announcement counts', 'The log:\nup\nFrom: Ann', 'The log:'],
    ['also where the mail is the earlier one', 'one\nFrom: Ann\nThe log:\nup', 'one\n'],
    ['a name in quotation marks stays', `call it "${'n'.repeat(38)}"`, `call it "${'n'.repeat(38)}"`],
    ['more than a name becomes a blank', `call it "${'n'.repeat(39)}" now`, 'call it   now'],
    ['a paragraph of such words leaves no gap', `one\n\n"${'n'.repeat(39)}"\n\ntwo`, 'one\n\ntwo'],
    ['a paragraph of 2,000 characters stays', `one\n\n${long(2_000)}\n\ntwo`, `one\n\n${long(2_000)}\n\ntwo`],
    ['a longer one goes', `one\n\n${long(2_001)}\n\ntwo`, 'one\n\ntwo'],
    ['lines without a blank one between them are one paragraph', `one\n${long(1_998)}\ntwo`, ''],
  ])('%s', (_name, text, typed) => expect(typedPart(text)).toBe(typed));
});

describe('of a message of more than 4,000 characters', () => {
  /** Paragraphs of their own words, together as long as is said. */
  function message(count: number, length: number): string[] {
    const each = Math.floor((length - 2 * (count - 1)) / count);
    const last = length - (count - 1) * (each + 2);
    return Array.from({ length: count }, (_, i) => long(i < count - 1 ? each : last, `${i + 1}. `));
  }
  const typed = (paragraphs: readonly string[]) => typedPart(paragraphs.join('\n\n')).split('\n\n');

  test('the first two and the last two paragraphs were typed', () => {
    const all = message(6, 4_001);
    expect(typed(all)).toEqual([...all.slice(0, 2), ...all.slice(4)]);
    expect(typed(message(5, 4_001))).toHaveLength(4);
  });
  test('a message of exactly that length was typed as a whole', () => {
    const all = message(6, 4_000);
    expect(typed(all)).toEqual(all);
  });
  test.each([3, 4])('%i paragraphs stay, each once', (count) => {
    const all = message(count, 4_001);
    expect(typed(all)).toEqual(all);
  });
  test('paragraphs that hold nothing typed do not count as its end', () => {
    const all = message(6, 4_001);
    expect(typed([...all, '> said', `"${'n'.repeat(39)}"`])).toEqual([...all.slice(0, 2), ...all.slice(4)]);
  });
});
