import type { FailureKind } from '../../shared/model/compression';
import type { AttemptId, SessionId } from '../../shared/model/ids';
import { all, one, type ReadDb, run, type WriteTx } from './database';

/** Strategies that can be in backoff; extract has none. */
export type BackoffStrategy = 'prune' | 'summarize';

export interface StoredBackoff {
  readonly strategy: BackoffStrategy;
  readonly kind: FailureKind | 'nothing-to-gain';
  readonly rung: number;
  /** Wall-clock milliseconds. */
  readonly setAt: number;
  /** null for nothing-to-gain, which ends when the session has grown to `untilChars`. */
  readonly durationMs: number | null;
  readonly untilChars: number | null;
  readonly attemptId: AttemptId;
  readonly bypassed: boolean;
  readonly error: string | null;
}

interface BackoffColumns extends Omit<StoredBackoff, 'bypassed'> {
  readonly bypassed: number;
}
const COLUMNS = `strategy, kind, rung, set_at AS setAt, duration_ms AS durationMs, until_chars AS untilChars,
  attempt_id AS attemptId, bypassed, error`;
const toBackoff = (row: BackoffColumns): StoredBackoff => ({ ...row, bypassed: row.bypassed === 1 });

export function getBackoff(db: ReadDb, sessionId: SessionId, strategy: BackoffStrategy): StoredBackoff | null {
  const row = one<BackoffColumns>(
    db,
    `SELECT ${COLUMNS} FROM backoffs WHERE session_id = :sessionId AND strategy = :strategy`,
    { sessionId, strategy },
  );
  return row && toBackoff(row);
}
export function backoffsOf(db: ReadDb, sessionId: SessionId): StoredBackoff[] {
  return all<BackoffColumns>(db, `SELECT ${COLUMNS} FROM backoffs WHERE session_id = :sessionId`, { sessionId }).map(
    toBackoff,
  );
}
export function putBackoff(tx: WriteTx, sessionId: SessionId, backoff: StoredBackoff): void {
  run(
    tx,
    `INSERT INTO backoffs (session_id, strategy, kind, rung, set_at, duration_ms, until_chars, attempt_id, bypassed, error)
     VALUES (:sessionId, :strategy, :kind, :rung, :setAt, :durationMs, :untilChars, :attemptId, :bypassed, :error)
     ON CONFLICT (session_id, strategy) DO UPDATE SET kind = :kind, rung = :rung, set_at = :setAt, duration_ms = :durationMs,
       until_chars = :untilChars, attempt_id = :attemptId, bypassed = :bypassed, error = :error`,
    { ...backoff, sessionId, bypassed: backoff.bypassed ? 1 : 0 },
  );
}
/** The one real summarize in spite of it, after a proven overflow, is spent until the next arming. */
export function spendBypass(tx: WriteTx, sessionId: SessionId): void {
  run(tx, `UPDATE backoffs SET bypassed = 1 WHERE session_id = :sessionId AND strategy = 'summarize'`, { sessionId });
}
/** The wall clock went back: what was set in its future holds once more from now. */
export function restartBackoffs(tx: WriteTx, sessionId: SessionId, now: number): void {
  run(tx, 'UPDATE backoffs SET set_at = :now WHERE session_id = :sessionId AND set_at > :now', { sessionId, now });
}
/** A committed summary clears its strategy's backoff, unless a later attempt set it. */
export function clearBackoff(
  tx: WriteTx,
  sessionId: SessionId,
  strategy: BackoffStrategy,
  notAfter: AttemptId,
): boolean {
  return (
    run(tx, 'DELETE FROM backoffs WHERE session_id = :sessionId AND strategy = :strategy AND attempt_id <= :notAfter', {
      sessionId,
      strategy,
      notAfter,
    }).changes === 1
  );
}
/** By the user, or by a change of the model. */
export function clearBackoffs(tx: WriteTx, sessionId: SessionId): boolean {
  return run(tx, 'DELETE FROM backoffs WHERE session_id = :sessionId', { sessionId }).changes > 0;
}
