/** What an anchor is worth by where and how often it was said, and how much of a long session is remembered. */
import { describe, expect, test } from 'vitest';
import { AnchorBook } from './anchors';
import { readMessage, type SourceMessage } from './read-message';

type Said = Pick<SourceMessage, 'role' | 'text'> | string;
/** One message each, from number `from`; a string is an answer. */
function bookOf(said: readonly Said[], from = 1): AnchorBook {
  const book = new AnchorBook({ from, to: from + said.length - 1 });
  said.forEach((one, i) => {
    const message = typeof one === 'string' ? ({ role: 'assistant', text: one } as const) : one;
    book.add(readMessage({ ...message, seq: from + i }));
  });
  return book;
}
const textsOf = (...said: Said[]) =>
  bookOf(said)
    .ranked()
    .map((anchor) => anchor.text);
const by = (role: SourceMessage['role'], text: string) => ({ role, text });
const nothing = 'that is fine';

describe('the best come first', () => {
  test('what was said often outweighs what is only newer', () => {
    expect(textsOf('a-1x', 'a-1x', 'a-1x', 'a-1x', 'b-2x')).toEqual(['a-1x', 'b-2x']);
  });
  test('what was said twice long ago does not outweigh the newest', () => {
    expect(textsOf('a-1x', 'a-1x', nothing, nothing, 'b-2x')).toEqual(['b-2x', 'a-1x']);
  });
  test('twice in one message is once', () => {
    const [anchor] = bookOf(['a-1x or a-1x', nothing]).ranked();
    expect(anchor).toEqual(bookOf(['a-1x', nothing]).ranked()[0]);
    expect(anchor).toMatchObject({ seq: 1, earlier: [] });
  });
  test('what stands in code comes after what an answer says in its own words', () => {
    expect(textsOf('```\na_name = load()\n```\nThat is z_name.')).toEqual(['z_name', 'a_name']);
  });
  test.each<[string, Said[]]>([
    ['first', [by('user', 'z-1x'), by('tool', 'z-1x')]],
    ['last', [by('tool', 'z-1x'), by('user', 'z-1x')]],
  ])('a string that the user typed, too, counts as typed: %s', (_name, said) => {
    expect(textsOf(...said, by('assistant', 'a-2x'), by('assistant', 'a-2x'))).toEqual(['z-1x', 'a-2x']);
  });
  test('of like weight the newer comes first', () => {
    // a date is worth a little less than an identifier, and of five messages each is newer by just that
    expect(textsOf('a-1x', '2026-02-20', nothing, nothing, nothing)).toEqual(['2026-02-20', 'a-1x']);
    expect(textsOf('a-1x b-2x', '2026-02-20 2026-02-21', nothing, nothing, nothing)).toEqual([
      ...['2026-02-20', '2026-02-21'],
      ...['a-1x', 'b-2x'],
    ]);
  });
  test('of like weight in one message the order is that of the alphabet', () => {
    expect(textsOf('d-1x b-1x a-1x c-1x')).toEqual(['a-1x', 'b-1x', 'c-1x', 'd-1x']);
  });
  test('the same session weighs the same wherever its range begins', () => {
    const said = ['a-1x', 'port 8080 and a-1x', by('user', 'z_name on 2026-02-20'), 'b-2x'];
    const weights = (from: number) =>
      bookOf(said, from)
        .ranked()
        .map(({ text, weight }) => [text, weight]);
    expect(weights(1_001)).toEqual(weights(1));
  });
  test('no more than asked for are given', () => {
    expect(
      bookOf(['d-1x b-1x a-1x c-1x'])
        .ranked(2)
        .map((anchor) => anchor.text),
    ).toEqual(['a-1x', 'b-1x']);
  });
});

test('an anchor keeps its newest place and the three before it, newest first', () => {
  const [anchor] = bookOf(Array(7).fill('a-1x')).ranked();
  expect(anchor).toMatchObject({ seq: 7, earlier: [6, 5, 4] });
});

describe('corrections', () => {
  const correction = (i: number) => by('user', `Actually the limit of room ${i} is ${i + 3} days.`);
  const seqs = (said: readonly Said[]) =>
    bookOf(said)
      .corrections()
      .map(({ seq }) => seq);

  test('are what the user corrected and nothing else', () => {
    const said = [
      by('user', 'Never use port 8080.'),
      by('user', 'Actually the port is 5433.'),
      'So db-orders-01 it is.',
    ];
    expect(
      bookOf(said)
        .corrections()
        .map(({ seq, sentence }) => [seq, sentence.text]),
    ).toEqual([[2, 'Actually the port is 5433.']]);
  });
  test('come oldest first, and one that is said again is as new as its last time', () => {
    expect(seqs([correction(1), correction(2), correction(3), correction(1)])).toEqual([2, 3, 4]);
  });
  test('of very many the newest two hundred are held against older facts', () => {
    const many = Array.from({ length: 205 }, (_, i) => correction(i));
    expect(seqs(many)).toEqual(Array.from({ length: 200 }, (_, i) => i + 6));
  });
});

describe('memory is bounded', () => {
  const ids = (from: number, many: number) => Array.from({ length: many }, (_, i) => `id-${from + i}`).join(' ');

  test('what weighs most stays, also where it is the older part', () => {
    const said = Array.from({ length: 1_200 }, (_, i) => by(i < 700 ? 'user' : 'tool', ids((i + 1) * 100, 50)));
    const ranked = bookOf(said).ranked();
    expect(ranked.every(({ seq }) => seq <= 700)).toBe(true);
    expect(ranked.length).toBeGreaterThan(25_000);
    expect(ranked.length).toBeLessThan(35_000);
  });
  test('very many of one weight, as in one huge result, do not all stay', () => {
    const ranked = bookOf([by('user', 'Never touch db-orders-01.'), by('tool', ids(100_000, 60_000))]).ranked();
    expect(ranked.length).toBeLessThan(60_000);
    expect(ranked.slice(0, 2).map(({ text }) => text)).toEqual(['Never touch db-orders-01.', 'db-orders-01']);
  });
});
