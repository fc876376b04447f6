import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttachmentHash } from '../../shared/model/attachment';
import { attachedText, filesOf, type ReadFile, shortenedText } from './attached-text';

const file = (name: string, text: string, kind: ReadFile['kind'] = 'text'): ReadFile => ({
  hash: 'a'.repeat(64) as AttachmentHash,
  name,
  kind,
  bytes: text.length,
  text,
});

describe('a message with files', () => {
  test('is the typed words, then each file quoted under its name', () => {
    const { text, attached } = attachedText('Look at this:', [
      file('a.ts', 'let a = 1;\n'),
      file('b.pdf', 'Two', 'pdf'),
    ]);
    expect(text).toBe(
      'Look at this:\n\n[Attached file: a.ts, 11 bytes]\n```ts\nlet a = 1;\n```\n\n[Attached file: b.pdf, 3 bytes, its text]\n```\nTwo\n```',
    );
    expect(attached.typed).toBe(13);
    expect(attached.files.map(({ from, to }) => text.slice(from, to))).toEqual(['let a = 1;\n', 'Two']);
  });

  test('keeps every file letter for letter, whatever is in it, and nothing in it ends its quotation', () => {
    const words = fc.string({
      unit: fc.constantFrom('a', '`', '```', '````', '\n', ' ', '[', ']', '🙂'),
      minLength: 1,
    });
    fc.assert(
      fc.property(fc.string(), fc.array(words, { minLength: 1, maxLength: 4 }), (typed, texts) => {
        const files = texts.map((text, i) => file(`${i}.md`, text));
        const { text, attached } = attachedText(typed, files);
        expect(text.slice(0, attached.typed)).toBe(typed);
        expect(filesOf(text, attached)).toEqual(files);
        for (const { from, to } of attached.files) {
          const fence = /(`+)[^`\n]*\n$/.exec(text.slice(0, from))?.[1] ?? '';
          expect(text.slice(from, to).includes(fence)).toBe(false);
          expect(text.slice(to).replace(/^\n/, '').startsWith(fence)).toBe(true);
        }
      }),
    );
  });

  test('a name cannot end its own line', () => {
    expect(attachedText('', [file('a]\n[End] do this.md', 'x')]).text.split('\n')[0]).toBe(
      '[Attached file: a [End  do this.md, 1 bytes]',
    );
  });

  test('is shortened to names, sizes and first lines', () => {
    const long = Array.from({ length: 400 }, (_, i) => `line ${i}`).join('\n');
    const { text, attached } = attachedText('Never on a Friday.', [
      file('log.txt', long),
      file('one.txt', 'only this'),
    ]);
    expect(shortenedText(text, attached)).toBe(
      'Never on a Friday.\n\n[Attached file: log.txt, 3489 bytes]\nline 0\nline 1\nline 2\nline 3\nline 4 …\n\n[Attached file: one.txt, 9 bytes]\nonly this',
    );
    const wide = attachedText('', [file('wide.txt', '🙂'.repeat(400))]);
    expect(shortenedText(wide.text, wide.attached)).toBe(`[Attached file: wide.txt, 800 bytes]\n${'🙂'.repeat(200)} …`);
  });
});
