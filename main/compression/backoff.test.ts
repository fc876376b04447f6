import { describe, expect, test } from 'vitest';
import { failureKinds } from '../../shared/model/compression';
import type { AttemptId } from '../../shared/model/ids';
import type { StoredBackoff } from '../db/backoffs-table';
import { afterFailure, afterNothingToGain, isPaused, remainingMs } from './backoff';

const id = (n: number) => n as AttemptId;
const fail = (previous: StoredBackoff | null, kind: (typeof failureKinds)[number], now = 1_000) =>
  afterFailure(previous, {
    ...{ strategy: 'summarize', kind, now, error: null },
    attemptId: id((previous?.attemptId ?? 0) + 1), // each of a later attempt
  });

describe('backoff', () => {
  test('each kind of failure has its ladder; what is nobody’s fault has none', () => {
    const first = Object.fromEntries(failureKinds.map((kind) => [kind, fail(null, kind)?.durationMs ?? null]));
    expect(first).toEqual({
      stalled: 60_000,
      'ceiling-exhausted': 60_000,
      'stall-interrupted': 60_000,
      interrupted: 60_000,
      died: 60_000,
      'host-lost': null,
      malformed: 30_000,
      empty: 30_000,
      refused: 30_000,
      cut: 30_000,
      'too-large': 30_000,
      'lease-lost': null,
      'commit-failed': 60_000,
    });
  });

  test('I4 the late failure of an older attempt leaves the row to the newer one that set it', () => {
    const failure = { strategy: 'summarize', attemptId: id(2), now: 1_000, error: null } as const;
    const newer = afterFailure(null, { ...failure, kind: 'stalled', attemptId: id(4) });
    expect(afterFailure(newer, { ...failure, kind: 'interrupted' })?.attemptId).toBe(4);
    expect(afterFailure(newer, { ...failure, kind: 'empty' })?.attemptId).toBe(4);
    expect(afterFailure(newer, { ...failure, kind: 'empty', attemptId: id(5) })?.attemptId).toBe(5);
  });

  test('an attempt climbs one rung, however often it fails', () => {
    const failure = { strategy: 'summarize', now: 1_000, error: null } as const;
    const first = fail(fail(null, 'stalled'), 'stalled');
    const same = afterFailure(first, { ...failure, kind: 'stall-interrupted', attemptId: id(2) });
    expect(same).toMatchObject({ kind: 'stall-interrupted', rung: 2 });
  });

  test('it climbs three rungs and stays there; a flat kind never climbs', () => {
    let backoff = fail(null, 'stalled');
    const seen = [backoff?.durationMs];
    for (let i = 0; i < 3; i++) {
      backoff = fail(backoff, 'stalled', 10_000_000 * (i + 1));
      seen.push(backoff?.durationMs);
    }
    expect(seen).toEqual([60_000, 300_000, 900_000, 900_000]);
    let flat = fail(null, 'interrupted');
    for (let i = 0; i < 3; i++) flat = fail(flat, 'interrupted', 10_000_000 * (i + 1));
    expect(flat).toMatchObject({ rung: 1, durationMs: 60_000 });
  });

  test('of two the longer remaining time wins', () => {
    const long = fail(fail(fail(null, 'stalled'), 'stalled', 10_000_000), 'stalled', 20_000_000);
    const merged = fail(long, 'interrupted', 20_001_000);
    expect(merged && remainingMs(merged, 20_001_000)).toBe(899_000);
  });

  test('a wall clock that goes back starts it again from now, never longer; forward ends it', () => {
    const backoff = fail(null, 'stalled', 1_000_000);
    if (!backoff) throw new Error('none');
    expect(remainingMs(backoff, 1_030_000)).toBe(30_000);
    expect(remainingMs(backoff, 5)).toBe(60_000);
    expect(remainingMs(backoff, 1_000_000 + 86_400_000)).toBe(0);
  });

  test('"nothing to gain" holds until the session has grown by a tenth', () => {
    const backoff = afterNothingToGain(null, 'summarize', id(1), 10_000, 0);
    expect(isPaused(backoff, Number.MAX_SAFE_INTEGER, 10_999)).toBe(true);
    expect(isPaused(backoff, 0, 11_000)).toBe(false);
    expect(backoff).toMatchObject({ durationMs: null, bypassed: false, error: null });
  });

  test('"nothing to gain" shortens no failure’s time, takes no rung away, and is none itself', () => {
    const stalled = fail(fail(null, 'stalled'), 'stalled', 100_000);
    expect(afterNothingToGain(stalled, 'summarize', id(3), 10_000, 399_999)).toEqual(stalled);
    const later = afterNothingToGain(stalled, 'summarize', id(3), 10_000, 400_000);
    expect(later).toMatchObject({ kind: 'nothing-to-gain', rung: 2 });
    const fresh = afterNothingToGain(null, 'summarize', id(1), 10_000, 0);
    expect(fail(fresh, 'stalled')).toMatchObject({ rung: 1, durationMs: 60_000 });
  });
});
