import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chunk, ChunkCutter, chunkText, cutText, type Source } from './chunks';
import type { SourceMessage } from './read-message';

const count = (text: string) => Math.ceil(text.length / 4);
/** Half of a character: what a cut inside one would leave. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const message = (seq: number, role: SourceMessage['role'], text: string): SourceMessage => ({ seq, role, text });

const chunksOf = (sources: readonly Source[], limit: number): Chunk[] => {
  const cutter = new ChunkCutter(limit, count);
  return [...sources.flatMap((source) => cutter.add(source)), ...cutter.end()];
};

describe('chunks', () => {
  test('are whole turns from the start of the range', () => {
    const messages = Array.from({ length: 12 }, (_, i) =>
      message(i + 1, i % 2 ? 'assistant' : 'user', 'x'.repeat(200)),
    );
    const chunks = chunksOf(messages, 300);
    expect(chunks.map(({ from, to }) => [from, to])).toEqual([
      [1, 4],
      [5, 8],
      [9, 12],
    ]);
    expect(chunks.every((chunk) => chunk.tokens <= 300)).toBe(true);
  });

  test('a summary that is built upon stands for what it covers', () => {
    const old = { seq: 3, to: 8, role: 'summary' as const, text: 'What was said.' };
    const chunks = chunksOf([message(1, 'user', 'x'), message(2, 'assistant', 'y'), old, message(9, 'user', 'z')], 300);
    expect(chunks).toMatchObject([{ from: 1, to: 9 }]);
    expect(chunks[0]?.text).toContain('Summary of messages 3 to 8:\nWhat was said.');
    expect(chunksOf([old], 300)).toMatchObject([{ from: 3, to: 8 }]);
  });

  test('a message larger than a chunk is cut at paragraph ends and its code fence reopened', () => {
    const code = `Look:\n\n\`\`\`ts\n${'const line = 1;\n\n'.repeat(60)}\`\`\`\n\nDone.`;
    const chunks = chunksOf([message(1, 'user', code)], 100);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect((chunk.text.match(/^```/gm) ?? []).length % 2).toBe(0);
  });

  test('are made again, each from its place alone', () => {
    const sources: Source[] = [
      message(1, 'user', 'Short.'),
      message(2, 'user', `${'One sentence of many. '.repeat(80)}\n\n\`\`\`ts\n${'let x = 1;\n'.repeat(80)}\`\`\``),
      message(3, 'assistant', 'Long answer. '.repeat(60)),
      message(4, 'tool', 'ok'),
      { seq: 5, to: 8, role: 'summary', text: 'What was said.' },
      message(9, 'user', 'End.'),
    ];
    const chunks = chunksOf(sources, 100);
    expect(chunks.filter(({ piece }) => piece !== null).length).toBeGreaterThan(5);
    for (const { text, ...place } of chunks) {
      const { from, to } = place.piece ?? place;
      const range = sources.filter(({ seq }) => seq >= from && seq <= to);
      expect(chunkText(place, range, 100, count)).toBe(text);
    }
  });

  test('a message of a megabyte is cut by looking at little more than each piece', () => {
    let looked = 0;
    const counted = (text: string) => {
      looked += text.length;
      return count(text);
    };
    const text = 'A sentence of the long text. '.repeat(36_000);
    expect(cutText(text, 6_000, counted).join('')).toBe(text);
    expect(looked).toBeLessThan(text.length * 40);
  });

  test('a code fence that is reopened in every piece leaves room for the code', () => {
    const pieces = cutText(`\`\`\`${'x'.repeat(900)}\n${'let x = 1;\n'.repeat(50)}`, 60, count);
    expect(pieces.length).toBeLessThan(40);
    for (const piece of pieces) expect(count(piece)).toBeLessThanOrEqual(60);
  });

  test('S42 no cut loses a character, is too large, or falls inside one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2_000 }), (text) => {
        const plain = text.replaceAll('`', '').replace(/\n+/g, '\n').trim();
        fc.pre(plain !== '');
        const pieces = cutText(plain, 20, count);
        expect(pieces.join('').replace(/\n/g, '')).toBe(plain.replace(/\n/g, ''));
        for (const piece of pieces) {
          expect(count(piece)).toBeLessThanOrEqual(20);
          expect(piece).not.toMatch(LONE_SURROGATE);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('secrets, and the reasoning at the beginning of an answer, are stripped on the way in', () => {
    const texts = [
      'How do I parse <think> tags? key sk-abcdefghijklmnop1234 password: hunter22x',
      '<think>hidden</think>Like this.',
    ];
    const [chunk] = chunksOf([message(1, 'user', texts[0] ?? ''), message(2, 'assistant', texts[1] ?? '')], 500);
    expect(chunk?.text).toContain('How do I parse <think> tags?');
    expect(chunk?.text).toContain('Like this.');
    expect(chunk?.text).not.toMatch(/hidden|sk-abc|hunter22x/);
  });
});
