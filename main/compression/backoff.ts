/**
 * The durable cooldown of one strategy in one session (holds I4 and P16 to P19): a ladder of times by kind of failure,
 * stored with its rung, so that a restart does not reset it. Pure: db/backoffs-table stores what this computes.
 */
import { assertNever } from '../../shared/exhaustive';
import type { FailureKind } from '../../shared/model/compression';
import type { AttemptId } from '../../shared/model/ids';
import type { BackoffStrategy, StoredBackoff } from '../db/backoffs-table';

const SECOND = 1_000;
/** Milliseconds per rung. Source: design, "Backoff". */
const LADDER = {
  model: [60 * SECOND, 300 * SECOND, 900 * SECOND],
  answer: [30 * SECOND, 120 * SECOND, 600 * SECOND],
  flat: [60 * SECOND, 60 * SECOND, 60 * SECOND],
} as const;
/** Share by which a session must have grown before "nothing to gain" is asked again. */
const GROWTH = 1.1;

/** The ladder of a failure; null = this failure sets no backoff. */
function ladderOf(kind: FailureKind): keyof typeof LADDER | null {
  switch (kind) {
    case 'stalled':
    case 'ceiling-exhausted':
    case 'died':
    case 'stall-interrupted':
      return 'model';
    case 'malformed':
    case 'empty':
    case 'refused':
    case 'cut':
    case 'too-large':
      return 'answer';
    case 'commit-failed':
    case 'interrupted':
      return 'flat';
    case 'host-lost':
    case 'lease-lost':
      return null;
    default:
      return assertNever(kind);
  }
}

/**
 * Milliseconds that a backoff still holds, 0 = over. Never more than its duration; a clock that went back before
 * `setAt` starts it again from now.
 */
export function remainingMs(backoff: StoredBackoff, now: number): number {
  if (backoff.durationMs === null) return 0;
  const passed = Math.max(0, now - backoff.setAt);
  return Math.max(0, backoff.durationMs - passed);
}

/** Whether the strategy must be passed over now. `chars` = characters of the session. */
export function isPaused(backoff: StoredBackoff | null, now: number, chars: number): boolean {
  if (backoff === null) return false;
  if (backoff.untilChars !== null) return chars < backoff.untilChars;
  return remainingMs(backoff, now) > 0;
}

export interface Failure {
  readonly strategy: BackoffStrategy;
  readonly kind: FailureKind;
  readonly attemptId: AttemptId;
  /** Wall-clock milliseconds. */
  readonly now: number;
  readonly error: string | null;
}

/** What to store after a failure, or null where it changes nothing. The longer remaining time wins. */
export function afterFailure(previous: StoredBackoff | null, failure: Failure): StoredBackoff | null {
  const ladder = ladderOf(failure.kind);
  if (ladder === null) return null;
  const climbs = ladder !== 'flat';
  const before = previous === null ? 0 : climbed(previous, failure) ? previous.rung - 1 : previous.rung;
  const rung = Math.min(3, climbs ? before + 1 : Math.max(1, before));
  const durationMs = LADDER[ladder][rung - 1] ?? LADDER[ladder][2];
  // a holder that was overtaken, or is recovered, may fail after a newer attempt did: the row stays the newer one's
  const attemptId =
    previous !== null && previous.attemptId > failure.attemptId ? previous.attemptId : failure.attemptId;
  const next: StoredBackoff = {
    strategy: failure.strategy,
    kind: failure.kind,
    rung,
    setAt: failure.now,
    durationMs,
    untilChars: null,
    attemptId,
    bypassed: false,
    error: failure.error,
  };
  if (previous === null || remainingMs(previous, failure.now) <= durationMs) return next;
  return { ...previous, rung, attemptId };
}

/** An attempt climbs one rung at most, and nothing to gain is no failure: its row has a rung in any case. */
const climbed = (previous: StoredBackoff, failure: Failure): boolean =>
  previous.kind === 'nothing-to-gain' || previous.attemptId === failure.attemptId;

/**
 * What to store when a summary would not be smaller: asked again once the session grew by a tenth. What a failure has set
 * stays as long as it holds, and its rung is kept.
 */
export function afterNothingToGain(
  previous: StoredBackoff | null,
  strategy: BackoffStrategy,
  attemptId: AttemptId,
  chars: number,
  now: number,
): StoredBackoff {
  if (previous !== null && remainingMs(previous, now) > 0) return previous;
  return {
    strategy,
    kind: 'nothing-to-gain',
    rung: previous?.rung ?? 1,
    setAt: now,
    durationMs: null,
    untilChars: Math.max(1, Math.ceil(chars * GROWTH)),
    attemptId,
    bypassed: false,
    error: null,
  };
}
