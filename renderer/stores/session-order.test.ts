import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../shared/model/ids';
import type { SessionRow } from '../../shared/model/session';
import { fixtureRows } from '../testing/fixture-data';
import { compareRows, reorder } from './session-order';

const NOW = Date.UTC(2026, 2, 20, 14);
const all = fixtureRows(NOW, 50, 10);
const byId = (rows: readonly SessionRow[]) =>
  Object.fromEntries(rows.map((row) => [row.id, row])) as Record<SessionId, SessionRow>;
const sorted = (rows: readonly SessionRow[]) => [...rows].sort(compareRows).map((row) => row.id);
const changed = (at: number, change: Partial<SessionRow>): SessionRow => {
  const row = all[at];
  if (!row) throw new Error('no such row');
  return { ...row, ...change };
};

describe('reorder', () => {
  it.each([
    ['a chat that was written to goes to the top of the unpinned', changed(9, { updatedAt: NOW + 1 })],
    ['a chat that was pinned goes to the pinned', changed(9, { pinnedAt: NOW + 1 })],
    ['a chat that was unpinned goes to its day', changed(1, { pinnedAt: null })],
    ['an old chat goes far down', changed(3, { updatedAt: NOW - 1e11 })],
  ])('%s, as sorting all of them would put it', (_, row) => {
    const after = all.map((other) => (other.id === row.id ? row : other));
    expect(reorder(sorted(all), byId(all), row)).toEqual(sorted(after));
  });

  it('keeps the very list when only the name changed', () => {
    const order = sorted(all);
    expect(reorder(order, byId(all), changed(4, { title: 'Other' }))).toBe(order);
  });

  it('puts a chat that comes back from the bin where it was', () => {
    const back = changed(4, {});
    const binned = byId(all.map((row) => (row.id === back.id ? { ...row, deletedAt: NOW } : row)));
    const order = sorted(all).filter((id) => id !== back.id);
    expect(reorder(order, binned, back)).toEqual(sorted(all));
  });

  it('puts a new chat in its place', () => {
    const [first, ...rest] = all;
    if (!first) throw new Error('no rows');
    expect(reorder(sorted(rest), byId(rest), first)).toEqual(sorted(all));
  });
});
