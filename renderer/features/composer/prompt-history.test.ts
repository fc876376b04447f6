import { describe, expect, it } from 'vitest';
import { historyOf, stepHistory } from './prompt-history';

describe('prompt history', () => {
  it('goes back to the oldest and forth to the empty field', () => {
    expect(stepHistory(2, null, 'older')).toBe(0);
    expect(stepHistory(2, 0, 'older')).toBe(1);
    expect(stepHistory(2, 1, 'older')).toBe(1);
    expect(stepHistory(2, 1, 'newer')).toBe(0);
    expect(stepHistory(2, 0, 'newer')).toBeNull();
    expect(stepHistory(0, null, 'older')).toBeNull();
  });

  it('is newest first without repeats in a row', () => {
    expect(historyOf(['a', 'b', 'b', ' ', 'a'])).toEqual(['a', 'b', 'a']);
  });
});
