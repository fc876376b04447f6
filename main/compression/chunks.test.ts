import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chunk, ChunkCutter, chunkText, cutText, type Source } from './chunks';
import type { SourceMessage } from './read-message';

const count = (text: string) => Math.ceil(text.length / 4);
/** A token a character: where a cut lies can be counted off. */
const length = (text: string) => text.length;
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

  test('a summary that is built upon is no part of the turn before it', () => {
    const old = { seq: 3, to: 8, role: 'summary' as const, text: 'y'.repeat(200) };
    expect(chunksOf([message(1, 'user', 'x'.repeat(200)), old], 80)).toMatchObject([
      { from: 1, to: 1, piece: null },
      { from: 3, to: 8, piece: null },
    ]);
  });

  test.each([1, 2])('take what just fits: %d turns', (turns) => {
    const sources = Array.from({ length: turns }, (_, i) => message(i + 1, 'user', 'x'.repeat(100)));
    const whole = chunksOf(sources, 1_000)[0]?.tokens ?? 0;
    expect(chunksOf(sources, whole)).toMatchObject([{ from: 1, to: turns, piece: null }]);
    expect(chunksOf(sources, whole - 1)).toHaveLength(2);
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

  test('a turn larger than a chunk is cut between its messages, as many in a piece as fit', () => {
    const turn = [message(1, 'user', 'aa'), message(2, 'assistant', 'bb'), message(3, 'tool', 'cc')];
    const [user, assistant, tool] = [
      'User (message 1):\naa',
      'Assistant (message 2):\nbb',
      'Tool result (message 3):\ncc',
    ] as const;
    const cutter = new ChunkCutter(user.length + assistant.length, length);
    expect([...turn.flatMap((source) => cutter.add(source)), ...cutter.end()]).toEqual([
      {
        ...{ from: 1, to: 2, piece: { from: 1, to: 3, n: 0 } },
        text: `${user}\n\n${assistant}`,
        tokens: user.length + assistant.length,
      },
      { from: 3, to: 3, piece: { from: 1, to: 3, n: 1 }, text: tool, tokens: tool.length },
    ]);
  });

  test('a piece that its turn does not have any more is empty', () => {
    const place = { from: 1, to: 1, piece: { from: 1, to: 1, n: 5 } };
    for (const sources of [[], [message(1, 'user', 'Short.')]]) expect(chunkText(place, sources, 100, count)).toBe('');
  });

  test('a message of a megabyte is cut by looking at little more than each piece', () => {
    let looked = 0;
    const counted = (text: string) => {
      looked += text.length;
      return count(text);
    };
    const text = 'A sentence of the long text. '.repeat(36_000);
    const pieces = cutText(text, 6_000, counted);
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBe(Math.ceil(count(text) / 6_000));
    expect(looked).toBeLessThan(text.length * 25);
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
      '<think>How</think> do I parse <think> tags? key sk-abcdefghijklmnop1234 password: hunter22x',
      '<think>hidden</think>Like this.',
    ];
    const [chunk] = chunksOf([message(1, 'user', texts[0] ?? ''), message(2, 'assistant', texts[1] ?? '')], 500);
    expect(chunk?.text).toContain('<think>How</think> do I parse <think> tags?');
    expect(chunk?.text).toContain('Like this.');
    expect(chunk?.text).not.toMatch(/hidden|sk-abc|hunter22x/);
  });
});

describe('a cut', () => {
  test.each<[string, string, number, string[]]>([
    ['is not made in what fits', 'One two. Three', 14, ['One two. Three']],
    ['nor in the rest that fits', `${'x'.repeat(10)}One. Two`, 10, ['x'.repeat(10), 'One. Two']],
    ['lies at a paragraph’s end', 'One. Two\n\nth\nr ee', 13, ['One. Two\n\n', 'th\nr ee']],
    ['else at a line’s', 'One. Two\nth. r ee', 14, ['One. Two\n', 'th. r ee']],
    ['else at a sentence’s', 'One two. th ree', 12, ['One two. ', 'th ree']],
    ['also of Chinese, which has no blanks', '第一句话。第二句', 7, ['第一句话。', '第二句']],
    ['else at a word’s', 'One two thr ee', 11, ['One two ', 'thr ee']],
    ['lies at the last of these', 'a\nb\nc\nd\ne', 7, ['a\nb\nc\n', 'd\ne']],
    ['lies at none that would leave half of the room empty', 'aaaa bbbbbbbbb', 10, ['aaaa bbbbb', 'bbbb']],
    ['lies anywhere where there is none', 'x'.repeat(25), 10, ['x'.repeat(10), 'x'.repeat(10), 'xxxxx']],
    [
      'leaves no blank lines to the next piece',
      `${'x'.repeat(10)}\n\n${'y'.repeat(10)}`,
      10,
      ['x'.repeat(10), 'y'.repeat(10)],
    ],
    ['does not part a character of two units', '😀😀😀', 3, ['😀', '😀', '😀']],
    ['nor is one between two of them too early', '😀😀😀', 4, ['😀😀', '😀']],
    ['nor the first of those', '\u{10000}\u{10000}', 3, ['\u{10000}', '\u{10000}']],
    ['nor the last', '\u{10ffff}\u{10ffff}', 3, ['\u{10ffff}', '\u{10ffff}']],
    ['takes a wide letter for one character', 'ＡＢＣＤ', 3, ['ＡＢＣ', 'Ｄ']],
  ])('%s', (_, text, limit, pieces) => {
    expect(cutText(text, limit, length)).toEqual(pieces);
  });

  test('is made even where not one character fits', () => {
    let asked = 0;
    const never = () => {
      if (++asked > 100) throw new Error('no end in sight');
      return 2;
    };
    expect(cutText('😀', 1, never).join('')).toBe('😀');
  });

  test('lies as far as a long piece reaches, and not in a long rest', () => {
    const long = 'x'.repeat(6_000);
    const rest = `${'y'.repeat(2_500)} and the end`;
    expect(cutText(`${long}${rest}`, 6_000, length)).toEqual([long, rest]);
  });
});

describe('a code fence', () => {
  const fenced = (lines: string) => `\`\`\`ts\n${lines}\n\`\`\``;

  test('is closed and opened again around a cut, in all the room that is left beside it', () => {
    const line = 'let x = 12345678;\n'; // 18 characters, of which 8 fit into 154 and the first line
    const pieces = cutText(fenced(line.repeat(15).trim()), 200, length);
    expect(pieces).toEqual([fenced(line.repeat(8)), fenced(line.repeat(7).trim())]);
  });

  test('that ended before a cut is not opened again behind it', () => {
    const prose = 'some words. '.repeat(20);
    const pieces = cutText(`${fenced('let x = 1;')}\n${prose}`, 120, length);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe(`${fenced('let x = 1;')}\n${prose}`);
  });

  test('that is open at the end of the text is left as it was', () => {
    expect(cutText('```ts\nlet x', 100, length)).toEqual(['```ts\nlet x']);
  });
});
