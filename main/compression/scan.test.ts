import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactStrings, indexOfExact, tokensIn } from './exact-strings';
import { MARK } from './marks';
import { readMessage } from './read-message';
import { scan } from './scan';

const sentences = (text: string) => scan(text).map((sentence) => sentence.text);

test.each<[string, string, string[]]>([
  ['marks and blanks', 'One. Two! Three?  Four', ['One.', 'Two!', 'Three?', 'Four']],
  [
    'abbreviations',
    'Ask Dr. Keller, e.g. Anna, z.B. Ms. Lee or J. Smith. Then go.',
    ['Ask Dr. Keller, e.g. Anna, z.B. Ms. Lee or J. Smith.', 'Then go.'],
  ],
  [
    'days of a date',
    'It is due on the 12. März 2026. We have 3. Then go.',
    ['It is due on the 12. März 2026.', 'We have 3.', 'Then go.'],
  ],
  ['numbers and files', 'Version 2.4.1 of main.ts is 3.5 MB. Good.', ['Version 2.4.1 of main.ts is 3.5 MB.', 'Good.']],
  ['Chinese', '你好。今天怎么样？他说：“很好。”再见！', ['你好。', '今天怎么样？', '他说：“很好。”', '再见！']],
  ['two languages', 'It takes 3 days.需要三天。Yes.', ['It takes 3 days.', '需要三天。', 'Yes.']],
  ['lists, headings and quotes', '# Head\n- one\n2. two\n> three\n• four', ['Head', 'one', 'two', 'three', 'four']],
  ['code and tables by the line', '```ts\nconst a = 1; let b.\n```\n| a. | B |', ['const a = 1; let b.', '| a. | B |']],
  [
    'initials',
    'J. Smith and (K. Lee) met Ä. Öz. Then B2. Go. NASA. Yes.',
    ['J. Smith and (K. Lee) met Ä. Öz.', 'Then B2.', 'Go.', 'NASA.', 'Yes.'],
  ],
  [
    'a capital that is no initial',
    'Below 50°C. Never. Use USB-C. Or A/B. Or R&D. Or $X. Or 20 °C. Nie.',
    ['Below 50°C.', 'Never.', 'Use USB-C.', 'Or A/B.', 'Or R&D.', 'Or $X.', 'Or 20 °C.', 'Nie.'],
  ],
  [
    'quoted initials',
    '"K. Lee" “K. Lee” „K. Lee“ \'K. Lee\'\nJ. Smith',
    ['"K. Lee" “K. Lee” „K. Lee“ \'K. Lee\'', 'J. Smith'],
  ],
  [
    'dates with a year',
    'Am 3.4. 2026. Am 12.10.  2026 da. Am 1. 2026 Euro. Am 10.05. 2026 da. Zu 3.50. 2000 und 12.10. 20267. Zu 1.13. 2000.',
    [
      'Am 3.4. 2026.',
      'Am 12.10.  2026 da.',
      'Am 1.',
      '2026 Euro.',
      'Am 10.05. 2026 da.',
      'Zu 3.50.',
      '2000 und 12.10.',
      '20267.',
      'Zu 1.13.',
      '2000.',
    ],
  ],
  ['outlines', '1.1. Install it. Kapitel 3.1. Dort', ['1.1. Install it.', 'Kapitel 3.1. Dort']],
  [
    'titles and units',
    'Ask Ms. Lee for 5 ms. It works. Stop 3 VMs. Then go.',
    ['Ask Ms. Lee for 5 ms.', 'It works.', 'Stop 3 VMs.', 'Then go.'],
  ],
  ['letters with stops', 'As in e.g. Anna, i.e. ÀB.', ['As in e.g. Anna, i.e. ÀB.']],
  ['a stop that begins a line', '. Then\na. Then go.', ['Then', 'a.', 'Then go.']],
  ['a day before its month', 'Due 3.  Mai. Due 4.März. Due v5. Mai.', ['Due 3.  Mai.', 'Due 4.März.', 'Due v5. Mai.']],
  [
    'what begins a sentence',
    'A. a! "b" ! (c) ! `d` ! \'e\' ! “f” ! „g“ ! À! Þ! 1! 我! z! ÷! ×! à! ß! ‚! -',
    ['A. a!', '"b" !', '(c) !', '`d` !', "'e' !", '“f” !', '„g“ !', 'À!', 'Þ!', '1!', '我! z! ÷! ×! à! ß! ‚! -'],
  ],
  ['a stop without a blank', 'a.B a!B a?1 a.“B”', ['a.B a!B a?1 a.“B”']],
  ['CJK behind a mark', 'Go.去! や?한.」去.）去', ['Go.', '去!', 'や?', '한.」去.）去']],
  [
    'marks that close',
    '他说「好。」他说『好！』（好？）“好。”」好',
    ['他说「好。」', '他说『好！』', '（好？）', '“好。”', '」好'],
  ],
  ['a closing mark on the next line', '好。\n」好', ['好。', '」好']],
  ['Chinese without an end', '你好', ['你好']],
  ['blank lines', '\nOne\n\n \t\nTwo \t\r\nThree\n', ['One', 'Two', 'Three']],
  ['one character', 'a\n王\n-\n- b\n1.\nab', ['1.', 'ab']],
  [
    'list marks',
    ' \t* a b\n** c d\n#### e f\n12) g h\n123.   i j\n\t> >  k l\n-\tm n',
    ['a b', 'c d', 'e f', 'g h', 'i j', '>  k l', 'm n'],
  ],
  [
    'what is no list mark',
    '-a b\n1234. c d\n12 e f\n1.5 g\n1:  h\n.5 i',
    ['-a b', '1234. c d', '12 e f', '1.5 g', '1:  h', '.5 i'],
  ],
  [
    'fences',
    '``a``\n`\n``` x y\na. B\n\t- 好。好\n  ```\nC d. E f\n1. ```\na. B',
    ['``a``', 'a. B', '- 好。好', 'C d.', 'E f', 'a. B'],
  ],
  ['a fence in a longer one', '````md\n```js\na. B\n```\n````\nOne. Two', ['```js', 'a. B', '```', 'One.', 'Two']],
  [
    'ticks in a line',
    '- ```npm i``` installs. Yes.\n```a``` b. Go',
    ['```npm i``` installs.', 'Yes.', '```a``` b.', 'Go'],
  ],
  [
    'fences in lists and quotes',
    '> ```js\n> a. B\n> ```\nSo. Do\n  ````\n* ```ts\n```js\n```` x\nE. F\n```` \t\r\nGo. He\n```',
    ['> a. B', 'So.', 'Do', '* ```ts', '```js', '```` x', 'E. F', 'Go.', 'He'],
  ],
])('sentences: %s', (_name, text, expected) => {
  expect(sentences(text)).toEqual(expected);
});

/** Names of the marks of each sentence. */
const marks = (text: string) =>
  scan(text).map((sentence) =>
    Object.entries(MARK)
      .filter(([, bit]) => sentence.marks & bit)
      .map(([name]) => name)
      .join(' '),
  );
test.each<[string, ...string[]]>([
  ['plain words, only; more: ones', 'rule'],
  ['ab 1', 'digit'],
  ['a/b', 'slash'],
  ['a\\b', 'slash'],
  ['a@b', 'slash'],
  ['`ab`', 'tick'],
  ['a_b', 'underscore'],
  ['So?', 'question'],
  ['So!', ''],
  ['aB', 'camel'],
  ['aÀ', 'camel'],
  ['éÞ', 'camel'],
  ['a×', ''],
  ['A×b', ''],
  ['aß', ''],
  ['AB Cd', ''],
  ['1a', 'digit mixed'],
  ['1A', 'digit mixed'],
  ['1À', 'digit mixed'],
  ['1ɐ', 'digit mixed'],
  ['1ÿ', 'digit mixed'],
  ['1\u1fff', 'digit mixed'],
  ['1\u2000b', 'digit'],
  ['1÷', 'digit'],
  ['1×', 'digit'],
  ['1¿', 'digit'],
  ['1\u0080', 'digit'],
  ['a1', 'digit mixed'],
  ['A1', 'digit mixed'],
  ['ä1', 'digit mixed'],
  ['a -1', 'digit mixed'],
  ['a #1', 'digit mixed'],
  ['a .1', 'digit mixed'],
  ['a +1', 'digit'],
  ['11', 'digit'],
  ['--ab', 'mixed'],
  ['a-b', ''],
  ['a - b', ''],
  ['a.b', 'dotted'],
  ['a.B', 'dotted'],
  ['a,b', ''],
  ['a,B', ''],
  ['a. b', ''],
  // names: two capitalized words in a row, the first of the sentence left out
  ['So Anna Keller', 'name'],
  ['So Àna Þor', 'name'],
  ['So Anna-Keller', 'name'],
  ['Anna Keller', ''],
  ['So Anna', ''],
  ['So Anna ab Keller', ''],
  ['So Anna  Keller', ''],
  ['So Anna 1 Keller', 'digit'],
  ['So Anna, Keller', ''],
  ['So Anna ×ab Keller', ''],
  ['So Anna ßab Keller', ''],
  ['So AnNa', 'camel'],
  ['So Anna去Keller', 'cjk'],
  ['So Anna. Keller went', '', ''],
  ['So Anna! So Keller', '', ''],
  ['So Anna去。去 Keller 去', 'cjk', 'cjk'],
  ['So 去。Anna Keller Lee', 'cjk', 'name'],
  ['So ab. Anna Keller. Anna Keller Lee', '', '', 'name'],
  // cue words: wherever a word ends
  ['never', 'rule'],
  ['Never!', 'rule'],
  ['never去', 'cjk rule'],
  ['(never)', 'rule'],
  ['never-ever', 'rule'],
  ['NIEMALS', 'rule'],
  ['MÜSSEN', 'rule'],
  ['nevers', ''],
  ['never. So', 'rule', ''],
  ['im Mai', 'calendar'],
  ['cafe\u0301never', ''],
  // Chinese
  ['他们', 'cjk'],
  ['绝不', 'cjk rule correction'],
  ['她去？', 'cjk question'],
  ['绝们。她们', 'cjk rule', 'cjk'],
  ['她们！她们a_b', 'cjk', 'underscore cjk'],
  // lines of code and of a table
  ['```\na_b c\nab\n```\nab', 'underscore code', 'code', ''],
  ['| ab. Cd |\nab |', 'code', ''],
  ['```\nab. Cd\n```', 'code'],
])('marks of %j', (text, ...expected) => {
  expect(marks(text)).toEqual(expected);
});

test('every exact string stands in its message word for word, whatever the text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom(
      '42 min',
      '/srv/a/b.ts',
      'ORD-1',
      'v1.2.3',
      ' ',
      '\n',
      '`x y`',
      'März',
      '12. ',
      '王',
      '需要3天',
      '“',
      '。',
      '```',
      'a@b.c',
      'https://x.y/z',
      'Anna Keller',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      for (const sentence of scan(text)) {
        expect(text).toContain(sentence.text);
        for (const exact of exactStrings(sentence)) expect(sentence.text).toContain(exact.text);
      }
      const message = readMessage({ seq: 1, role: 'user', text });
      for (const sentence of message.typed) expect(sentence.text.length).toBeLessThanOrEqual(1_500);
    }),
    { numRuns: 500 },
  );
});

test('a string in quotation marks that holds another is given whole', () => {
  expect(tokensIn('他说“需要3天的事”。').map(({ text }) => text)).toEqual(['3天', '需要3天的事']);
});

test('a line without an end is cut, so that no pattern runs over a megabyte', () => {
  for (const unit of ['a.', 'v1.', 'x', 'word ', '王']) {
    const parts = sentences(unit.repeat(200_000));
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(1_500);
    expect(parts.join('').replaceAll(' ', '')).toBe(unit.repeat(200_000).replaceAll(' ', ''));
  }
});

test.each<[string, string, number[]]>([
  ['at its last blank', `${'a'.repeat(900)} ${'b'.repeat(500)} ${'c'.repeat(500)}`, [1401, 500]],
  ['at a blank behind its longest', `${'a'.repeat(1500)} bc`, [1500, 2]],
  ['at no blank in its first half', `${'a'.repeat(749)} ${'b'.repeat(1000)}`, [1500, 250]],
  ['at no blank in its middle', `${'a'.repeat(750)} ${'b'.repeat(1000)}`, [1500, 251]],
  ['at one in its second half', `${'a'.repeat(751)} ${'b'.repeat(1000)}`, [751, 1000]],
  ['never between the halves of a character', `a${'😀'.repeat(800)}`, [1499, 102]],
  ['and not where it just fits', 'a'.repeat(1500), [1500]],
])('a long line is cut %s', (_name, text, lengths) => {
  expect(sentences(text).map(({ length }) => length)).toEqual(lengths);
  expect(sentences(text).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
});

test('each part of a long line keeps the marks of the line', () => {
  expect(marks(`a_b ${'c'.repeat(2_000)}`)).toEqual(['underscore', 'underscore']);
});

test('a string is found by itself, not inside a word or a number', () => {
  expect(indexOfExact('13 days or 3 days', '3 days')).toBe(11);
  expect(indexOfExact('13 days', '3 days')).toBe(-1);
  expect(indexOfExact('需要13天', '13天')).toBe(2);
});
