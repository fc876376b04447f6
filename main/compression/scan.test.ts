import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactStrings, indexOfExact, tokensIn } from './exact-strings';
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
])('sentences: %s', (_name, text, expected) => {
  expect(sentences(text)).toEqual(expected);
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

test('a string is found by itself, not inside a word or a number', () => {
  expect(indexOfExact('13 days or 3 days', '3 days')).toBe(11);
  expect(indexOfExact('13 days', '3 days')).toBe(-1);
  expect(indexOfExact('需要13天', '13天')).toBe(2);
});
