import { describe, expect, it } from 'vitest';
import type { ContextUse } from '../../../shared/model/context';
import { breakdown } from './breakdown';

const use: ContextUse = {
  parts: { system: 640, pins: 1480, summary: 1120, recall: 1860, tail: 24310, tools: 3270 },
  total: 32680,
  reserve: 4096,
  window: 65536,
  trained: null,
  source: 'asked',
  softMark: 36864,
  hardMark: 49152,
  pins: [],
  exact: true,
  toolsChanged: false,
};

const thirds = { system: 333, pins: 333, summary: 333, recall: 334, tail: 334, tools: 333 };

describe('breakdown', () => {
  it.each([
    ['as in a long chat', use],
    ['where each share is rounded', { ...use, parts: { ...use.parts, system: 650, pins: 1_490 }, total: 32_700 }],
    ['of little in a small window', { ...use, parts: thirds, total: 2_000, reserve: 333, window: 2_999 }],
  ])('S77 adds up in tokens and in shares, %s', (_name, use) => {
    const all = breakdown(use);
    expect(all.sent).toBe(use.total);
    expect(all.sent + all.reserve + (all.free ?? 0)).toBe(use.window);
    expect((all.sentShare ?? 0) + (all.reserveShare ?? 0) + (all.freeShare ?? 0)).toBe(1000);
    expect(all.rows.reduce((sum, row) => sum + (row.share ?? 0), 0)).toBe(all.sentShare);
  });

  it('says by how much a request is over the window and leaves nothing free', () => {
    const all = breakdown({ ...use, window: 32_000 });
    expect(all.free).toBe(0);
    expect(all.over).toBe(32_680 + 4_096 - 32_000);
  });

  it('gives no shares of an unknown window', () => {
    const all = breakdown({ ...use, window: null });
    expect(all.free).toBeNull();
    expect(all.rows.every((row) => row.share === null)).toBe(true);
  });
});
