import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptId } from '../../../shared/model/ids';
import { fixtureAttempt } from '../../testing/fixture-attempt';
import { advance, type BarMark, segments } from './bar-progress';

describe('the bar', () => {
  it('never moves back, whatever an attempt reports', () => {
    const report = fc.record({
      chunksDone: fc.nat(12),
      chunks: fc.nat(12),
      chunkShare: fc.double({ min: -1, max: 2, noNaN: true }),
      phase: fc.constantFrom('reading' as const, 'writing' as const, 'connecting' as const, 'stopping' as const),
    });
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 30 }), (reports) => {
        let mark: BarMark | null = null;
        for (const each of reports) {
          const next = advance(mark, fixtureAttempt(each));
          expect(next.share).toBeGreaterThanOrEqual(mark?.share ?? 0);
          expect(next.share).toBeLessThanOrEqual(1);
          mark = next;
        }
      }),
    );
  });

  it('stays and says so when a part is read once more', () => {
    const before = advance(null, fixtureAttempt({ chunkShare: 0.8 }));
    const again = advance(before, fixtureAttempt({ chunkShare: 0.1 }));
    expect(again).toEqual({ ...before, again: true });
    expect(advance(again, fixtureAttempt({ chunksDone: 3, chunkShare: 0 })).again).toBe(false);
  });

  it('begins anew with another attempt', () => {
    const old = advance(null, fixtureAttempt({ chunksDone: 9, chunkShare: 0 }));
    expect(advance(old, fixtureAttempt({ id: 2 as AttemptId, chunksDone: 0, chunkShare: 0 })).share).toBe(0);
  });

  it('has one segment a part, and one while their number is unknown', () => {
    expect(segments((2 + 0.5) / 4, 4)).toEqual([1, 1, 0.5, 0]);
    expect(segments(3 / 9, 9)).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0]);
    expect(segments(0.5, 0)).toEqual([0.5]);
  });
});
