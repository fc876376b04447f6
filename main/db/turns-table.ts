import type { BranchId, InstanceId, SessionId, TurnId } from '../../shared/model/ids';
import type { TurnReason, TurnState } from '../../shared/model/turn';
import { all, one, type ReadDb, run, type WriteTx } from './database';

export interface StoredTurn {
  readonly id: TurnId;
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly messageRid: number;
  readonly instanceId: InstanceId;
  readonly state: TurnState;
  readonly reason: TurnReason | null;
  readonly retryAt: number | null;
  /** Automatic compression attempts used, after refunds: 0 to 2. */
  readonly attempts: number;
  /** Its one real summarize in spite of a backoff was spent. */
  readonly bypassed: boolean;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

interface TurnColumns extends Omit<StoredTurn, 'reason' | 'bypassed'> {
  readonly reason: string | null;
  readonly bypassed: number;
}

const COLUMNS = `id, session_id AS sessionId, branch_id AS branchId, message_rid AS messageRid, instance_id AS instanceId,
  state, reason, retry_at AS retryAt, attempts, bypassed, started_at AS startedAt, ended_at AS endedAt`;

const toTurn = (row: TurnColumns): StoredTurn => ({
  ...row,
  reason: row.reason === null ? null : (JSON.parse(row.reason) as TurnReason),
  bypassed: row.bypassed === 1,
});

/** Inserts a turn `queued`. The unique index refuses a second open turn of the session. */
export function insertTurn(
  tx: WriteTx,
  turn: { sessionId: SessionId; branchId: BranchId; messageRid: number; instanceId: InstanceId; now: number },
): TurnId {
  return run(
    tx,
    `INSERT INTO turns (session_id, branch_id, message_rid, instance_id, state, started_at)
     VALUES (:sessionId, :branchId, :messageRid, :instanceId, 'queued', :now)`,
    turn,
  ).rowid as TurnId;
}

/** Writes where an open turn stands. An ended turn never changes: false. */
export function changeTurn(
  tx: WriteTx,
  id: TurnId,
  to: {
    state: TurnState;
    reason: TurnReason | null;
    retryAt: number | null;
    attempts: number;
    bypassed: boolean;
    endedAt: number | null;
  },
): boolean {
  return (
    run(
      tx,
      `UPDATE turns SET state = :state, reason = :reason, retry_at = :retryAt, attempts = :attempts, bypassed = :bypassed,
         ended_at = :endedAt WHERE id = :id AND ended_at IS NULL`,
      { ...to, id, reason: to.reason && JSON.stringify(to.reason), bypassed: to.bypassed ? 1 : 0 },
    ).changes === 1
  );
}

/** An open turn is run by whoever takes it: after a restart, or by a click in another window. */
export function adoptTurn(tx: WriteTx, id: TurnId, instanceId: InstanceId): boolean {
  return (
    run(tx, 'UPDATE turns SET instance_id = :instanceId WHERE id = :id AND ended_at IS NULL', { id, instanceId })
      .changes === 1
  );
}

export function openTurn(db: ReadDb, sessionId: SessionId): StoredTurn | null {
  const row = one<TurnColumns>(db, `SELECT ${COLUMNS} FROM turns WHERE session_id = :sessionId AND ended_at IS NULL`, {
    sessionId,
  });
  return row && toTurn(row);
}
/** The open turn, else the newest one that ended. */
export function lastTurn(db: ReadDb, sessionId: SessionId): StoredTurn | null {
  const open = openTurn(db, sessionId);
  if (open) return open;
  const row = one<TurnColumns>(
    db,
    `SELECT ${COLUMNS} FROM turns WHERE session_id = :sessionId ORDER BY id DESC LIMIT 1`,
    { sessionId },
  );
  return row && toTurn(row);
}
export function openTurnsOf(db: ReadDb, instanceId: InstanceId): StoredTurn[] {
  return all<TurnColumns>(
    db,
    `SELECT ${COLUMNS} FROM turns WHERE instance_id = :instanceId AND ended_at IS NULL ORDER BY id`,
    { instanceId },
  ).map(toTurn);
}

/** User messages whose turns began after the one time and up to the other; wall-clock milliseconds. */
export function turnsBegunBetween(db: ReadDb, sessionId: SessionId, from: number, to: number): number {
  const row = one<{ many: number }>(
    db,
    `SELECT count(DISTINCT message_rid) AS many FROM turns
     WHERE session_id = :sessionId AND started_at > :from AND started_at <= :to`,
    { sessionId, from, to },
  );
  return row?.many ?? 0;
}
