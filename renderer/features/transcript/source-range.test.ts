import { describe, expect, it } from 'vitest';
import { sourceRange } from './source-range';

function found(source: string, selected: string, before = ''): string | null {
  const range = sourceRange(source, selected, before);
  return range && source.slice(range.from, range.to);
}

describe('the passage of a text that is selected on the page', () => {
  it('is found through the marks of Markdown', () => {
    const source = 'Only **Sunday 02:00** to `04:00`.\n\n- never in *March*\n- and not by hand';
    expect(found(source, 'Only Sunday 02:00 to 04:00.')).toBe('Only **Sunday 02:00** to `04:00`.');
    expect(found(source, 'Only Sunday 02:00')).toBe('Only **Sunday 02:00**');
    expect(found(source, '02:00 to 04:00.', 'Only Sunday ')).toBe('02:00** to `04:00`.');
    expect(found(source, 'never in March\nand not', 'Only Sunday 02:00 to 04:00.')).toBe('never in *March*\n- and not');
  });

  it('is the one that was meant of several equal ones', () => {
    const source = 'one two, one two, one two';
    expect(sourceRange(source, 'two', 'one two, one ')).toEqual({ from: 13, to: 16 });
    expect(sourceRange(source, 'two', 'one ')).toEqual({ from: 4, to: 7 });
  });

  it('takes in the signs at its ends that were selected, and no others', () => {
    const source = 'It was (at −5 °C), then -3. Why?';
    expect(found(source, '(at −5 °C)')).toBe('(at −5 °C)');
    expect(found(source, '-3.', 'It was (at −5 °C), then ')).toBe('-3.');
    expect(found(source, 'at −5 °C')).toBe('at −5 °C');
    expect(found(source, ' then ')).toBe('then');
  });

  it('is found by its ends where its middle is written otherwise', () => {
    const source =
      'The rules of the cutover are in [the plan of March](https://example.org/plan?id=4711) and nowhere else at all.';
    expect(found(source, 'The rules of the cutover are in the plan of March and nowhere else at all.')).toBe(source);
  });

  it('keeps characters of two units whole, and other scripts', () => {
    expect(found('绝不在三月 🙂 **停机** 两次', '停机')).toBe('停机');
    expect(found('a 🙂 b', '🙂 b')).toBe('🙂 b');
  });

  it('cannot be told of words that do not stand there, or of signs alone', () => {
    expect(found('some words', 'other words')).toBeNull();
    expect(found('a - b', ' - ')).toBeNull();
  });
});
