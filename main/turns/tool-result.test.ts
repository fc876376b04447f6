import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countChars } from '../lib/char-counts';
import { tokensOf } from '../providers/token-estimate';
import { DEFAULT_RATES } from '../providers/token-rates';
import { shortened, textOf } from './tool-result';

const count = (text: string) => tokensOf(countChars(text), DEFAULT_RATES);
/** What the mark itself may take. */
const MARK = 32;

describe('what the model is told of a result', () => {
  test('what fits is left as it is', () => {
    expect(shortened('short', 400, DEFAULT_RATES)).toEqual({ text: 'short', fullTokens: null });
  });

  test('what does not is its beginning and its end within the budget, with the number of tokens left out', () => {
    const piece = fc.constantFrom('a line of words\n', '一行文字', '𝒳', 'x'.repeat(90), '\n');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 200, maxLength: 600 }), (pieces) => {
        const whole = pieces.join('');
        const { text, fullTokens } = shortened(whole, 400, DEFAULT_RATES);
        if (fullTokens === null) return expect(text).toBe(whole);
        expect(fullTokens).toBe(count(whole));
        expect(count(text)).toBeLessThanOrEqual(400 + MARK);
        const [head = '', tail = ''] = text.split(/\n\[\d+ tokens left out here; the app keeps the whole text\]\n/);
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(Buffer.from(text).toString()).toBe(text); // no half of a character
      }),
    );
  });

  test('an empty result says that it is', () => {
    expect(textOf({ kind: 'done', text: '' })).toBe('The tool ended well and said nothing.');
  });
});
