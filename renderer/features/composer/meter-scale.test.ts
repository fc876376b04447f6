import { describe, expect, it } from 'vitest';
import type { ContextUse } from '../../../shared/model/context';
import { meterScale } from './meter-scale';

const use: ContextUse = {
  parts: { system: 0, pins: 0, summary: 0, recall: 0, tail: 52280, tools: 0 },
  total: 52280,
  reserve: 4096,
  window: 65536,
  trained: null,
  source: 'server',
  softMark: 36864,
  hardMark: 49152,
  pins: [],
  exact: true,
  toolsChanged: false,
};

describe('meterScale', () => {
  it('warns only past the soft mark', () => {
    expect(meterScale(use)).toEqual({
      fill: 56.25,
      over: expect.closeTo(23.52, 2),
      soft: 56.25,
      hard: 75,
      reserve: 6.25,
    });
    expect(meterScale({ ...use, total: 12_000 })?.over).toBe(0);
  });

  it('takes the hard mark where there is no soft one', () => {
    expect(meterScale({ ...use, softMark: null })).toMatchObject({ fill: 75, soft: null });
  });

  it('never draws beyond its width', () => {
    const scale = meterScale({ ...use, total: 90_000 });
    expect((scale?.fill ?? 0) + (scale?.over ?? 0)).toBe(100);
  });

  it('has no scale without a window', () => {
    expect(meterScale({ ...use, window: null })).toBeNull();
  });
});
