import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shares } from './shares';

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

describe('shares', () => {
  it('are those of the drawn panel', () => {
    const parts = [640, 1480, 1120, 1860, 24310, 3270, 4096, 28760];
    expect(shares(parts, 65536)).toEqual([10, 23, 17, 28, 371, 50, 62, 439]);
  });

  it('add up to 100.0 % whenever the parts fill the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200_000), { minLength: 1, maxLength: 9 }), (parts) => {
        const whole = sum(parts);
        fc.pre(whole > 0);
        expect(sum(shares(parts, whole))).toBe(1000);
      }),
    );
  });

  it('never stray by a whole tenth from the exact share', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(200_000), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 1e6 }),
        (parts, whole) => {
          shares(parts, whole).forEach((share, index) => {
            expect(Math.abs(share - ((parts[index] ?? 0) * 1000) / whole)).toBeLessThan(1);
          });
        },
      ),
    );
  });

  it('are nothing of nothing', () => {
    expect(shares([0, 0], 0)).toEqual([0, 0]);
  });
});
