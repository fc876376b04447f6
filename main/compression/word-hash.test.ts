import { describe, expect, test } from 'vitest';
import { eachWord, hashOf } from './word-hash';

describe('the words of a text', () => {
  test.each<[string, string, string[]]>([
    ['words of three letters or more', 'a be sea, also', ['sea', 'also']],
    ['numbers of any length, also after a word', '7 days, 42 of 99', ['7', 'days', '42', '99']],
    ['a short word with a digit is none', 'v4 b2 of x9', []],
    ['a long word with digits is one', 'db01 0x9f', ['db01', '0x9f']],
    ['every digit and every letter', '0189 abyz', ['0189', 'abyz']],
    ['capitals are written small', 'ABYZ Sea', ['abyz', 'sea']],
    ['an underscore joins', 'max_size', ['max_size']],
    [
      'a hyphen, an at sign, a backtick, a bracket and a brace part',
      'one-two@six`ten[all{end',
      ['one', 'two', 'six', 'ten', 'all', 'end'],
    ],
    ['capitals with marks are written small', 'ÀÞÀ GRÜN Äpfel', ['àþà', 'grün', 'äpfel']],
    ['small letters with marks stay', 'ßßß àþÿ öäü', ['ßßß', 'àþÿ', 'öäü']],
    ['letters of other alphabets', 'мир αβγ', ['мир', 'αβγ']],
    ['signs for times and divided by part', 'one×two÷six', ['one', 'two', 'six']],
    ['wide blanks and long dashes part', 'one\u2000two—six', ['one', 'two', 'six']],
    ['nothing', '', []],
    ['marks alone', ' .,; —', []],
  ])('%s', (_name, text, words) => {
    expect(hashesOf(text)).toEqual(words.map(hashOf));
  });
});

describe('a point or a comma', () => {
  test.each<[string, string, string[]]>([
    ['between digits is of the number', '4.2 1,000 3.09 8,9', ['4.2', '1,000', '3.09', '8,9']],
    ['behind a number is none of it', '4. 5, 6', ['4', '5', '6']],
    ['at the end is none of it', '42.', ['42']],
    ['before a sign next to the digits is none of it', '4./ 5.:', ['4', '5']],
    ['before a letter is none of it', '4.two', ['4', 'two']],
    ['before a number is none of it', '.5 ,6', ['5', '6']],
    ['between a word and a number parts them', 'see.5 v4.2', ['see', '5', '2']],
    ['is not the same as another mark', '4:2 4-2 4/2 4;2', ['4', '2', '4', '2', '4', '2', '4', '2']],
  ])('%s', (_name, text, words) => {
    expect(hashesOf(text)).toEqual(words.map(hashOf));
  });
});

describe('a Chinese or Japanese text', () => {
  test.each<[string, string, string[]]>([
    ['each character is a word', '移库か', ['移', '库', 'か']],
    ['its marks are none', '移、库。「か」\u3000\u303f', ['移', '库', 'か']],
    ['first and last of the script', '\u2e7f\u2e80\u2fff\u9fff\ua000', ['\u2e80', '\u2fff', '\u9fff']],
    ['a word beside it is one of its own', '用Postgres库16个', ['用', 'postgres', '库', '16', '个']],
    ['wide letters and emoji are none', 'ＡＢＣ🙂', []],
  ])('%s', (_name, text, words) => {
    expect(hashesOf(text)).toEqual(words.map(hashOf));
  });
});

function hashesOf(text: string): number[] {
  const found: number[] = [];
  eachWord(text, (hash) => found.push(hash));
  return found;
}
