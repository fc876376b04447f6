import type {
  AttemptOutcome,
  AttemptPhase,
  FailureKind,
  Need,
  Strategy,
  Trigger,
} from '../../shared/model/compression';
import type { AttemptId, BranchId, InstanceId, SessionId, TurnId } from '../../shared/model/ids';
import type { Spent } from '../../shared/model/spend';
import { all, one, type ReadDb, run, type WriteTx } from './database';

export interface StoredAttempt {
  readonly id: AttemptId;
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly instanceId: InstanceId;
  readonly turnId: TurnId | null;
  readonly need: Need;
  readonly trigger: Trigger;
  readonly epoch: number | null;
  readonly strategy: Strategy | null;
  readonly phase: AttemptPhase;
  readonly chunksDone: number;
  readonly chunks: number;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  readonly outcome: AttemptOutcome | null;
  readonly error: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

interface AttemptColumns extends Omit<StoredAttempt, 'outcome'> {
  readonly outcome: AttemptOutcome['kind'] | null;
  readonly failure: FailureKind | null;
  readonly detail: string | null;
}

const COLUMNS = `id, session_id AS sessionId, branch_id AS branchId, instance_id AS instanceId, turn_id AS turnId, need,
  "trigger", epoch, strategy, phase, chunks_done AS chunksDone, chunks, tokens_read AS tokensRead,
  tokens_written AS tokensWritten, outcome, failure, detail, error, started_at AS startedAt, ended_at AS endedAt`;

/** The outcome's fields live in `detail`; its kind and failure have columns of their own. */
function toAttempt({ outcome, failure, detail, ...row }: AttemptColumns): StoredAttempt {
  if (outcome === null) return { ...row, outcome: null };
  const fields = detail === null ? {} : (JSON.parse(detail) as object);
  return { ...row, outcome: { kind: outcome, ...(failure === null ? {} : { failure }), ...fields } as AttemptOutcome };
}

export function insertAttempt(
  tx: WriteTx,
  attempt: {
    sessionId: SessionId;
    branchId: BranchId;
    instanceId: InstanceId;
    turnId: TurnId | null;
    need: Need;
    trigger: Trigger;
    now: number;
  },
): AttemptId {
  return run(
    tx,
    `INSERT INTO attempts (session_id, branch_id, instance_id, turn_id, need, "trigger", phase, started_at)
     VALUES (:sessionId, :branchId, :instanceId, :turnId, :need, :trigger, 'waiting', :now)`,
    attempt,
  ).rowid as AttemptId;
}

/** Where a running attempt stands. Written with each checkpoint, for other windows and the records. */
export function progressAttempt(
  tx: WriteTx,
  id: AttemptId,
  progress: {
    need: Need;
    epoch: number | null;
    strategy: Strategy | null;
    phase: AttemptPhase;
    chunksDone: number;
    chunks: number;
    tokensRead: number;
    tokensWritten: number;
  },
): void {
  run(
    tx,
    `UPDATE attempts SET need = :need, epoch = :epoch, strategy = :strategy, phase = :phase, chunks_done = :chunksDone,
       chunks = :chunks, tokens_read = :tokensRead, tokens_written = :tokensWritten WHERE id = :id AND outcome IS NULL`,
    { ...progress, id },
  );
}

/** Writes the outcome, once: a second one is refused by the row itself. Without `spent` the row's own numbers stand. */
export function endAttempt(
  tx: WriteTx,
  id: AttemptId,
  outcome: AttemptOutcome,
  { spent = null, ...end }: { now: number; error: string | null; strategy: Strategy | null; spent?: Spent | null },
): void {
  const { kind, ...fields } = outcome;
  const { failure = null, ...detail } = fields as { failure?: FailureKind };
  run(
    tx,
    `UPDATE attempts SET outcome = :kind, failure = :failure, detail = :detail, phase = 'ended', ended_at = :now,
       error = :error, strategy = coalesce(:strategy, strategy), tokens_read = coalesce(:read, tokens_read),
       tokens_written = coalesce(:written, tokens_written) WHERE id = :id`,
    {
      id,
      kind,
      failure,
      detail: JSON.stringify(detail),
      ...end,
      read: spent?.read ?? null,
      written: spent?.written ?? null,
    },
  );
}

export function getAttempt(db: ReadDb, id: AttemptId): StoredAttempt | null {
  const row = one<AttemptColumns>(db, `SELECT ${COLUMNS} FROM attempts WHERE id = :id`, { id });
  return row && toAttempt(row);
}
export function attemptsOf(db: ReadDb, sessionId: SessionId, limit: number): StoredAttempt[] {
  return all<AttemptColumns>(
    db,
    `SELECT ${COLUMNS} FROM attempts WHERE session_id = :sessionId ORDER BY id DESC LIMIT :limit`,
    { sessionId, limit },
  ).map(toAttempt);
}
export function openAttemptsOf(db: ReadDb, instanceId: InstanceId): StoredAttempt[] {
  return all<AttemptColumns>(
    db,
    `SELECT ${COLUMNS} FROM attempts WHERE instance_id = :instanceId AND outcome IS NULL`,
    { instanceId },
  ).map(toAttempt);
}
/**
 * The running attempt of a session, whichever instance runs it. One whose lease was taken over is none: its process stands
 * still, can write nothing any more, and may never come to say that it has ended.
 */
export function openAttempt(db: ReadDb, sessionId: SessionId): StoredAttempt | null {
  const row = one<AttemptColumns>(
    db,
    `SELECT ${COLUMNS} FROM attempts WHERE session_id = :sessionId AND outcome IS NULL
       AND (epoch IS NULL OR epoch = (SELECT epoch FROM leases WHERE session_id = :sessionId AND kind = 'compression'))
     ORDER BY id DESC LIMIT 1`,
    { sessionId },
  );
  return row && toAttempt(row);
}
/** The attempt of a session that ended last: another window's may have begun before one that it made wait. */
export function lastEndedAttempt(db: ReadDb, sessionId: SessionId): StoredAttempt | null {
  const row = one<AttemptColumns>(
    db,
    `SELECT ${COLUMNS} FROM attempts WHERE session_id = :sessionId AND outcome IS NOT NULL
     ORDER BY ended_at DESC, id DESC LIMIT 1`,
    { sessionId },
  );
  return row && toAttempt(row);
}

/** The newest automatic commits of a session that began after that attempt, oldest first: with the gain they stored. */
export function automaticCommits(
  db: ReadDb,
  sessionId: SessionId,
  after: AttemptId,
  limit: number,
): { readonly gain: number | null; readonly at: number }[] {
  return all<{ gain: number | null; at: number }>(
    db,
    `SELECT json_extract(s.receipt, '$.gain') AS gain, a.ended_at AS at
     FROM attempts a JOIN summaries s ON s.attempt_id = a.id
     WHERE a.session_id = :sessionId AND a.id > :after AND a.outcome = 'committed'
       AND a."trigger" IN ('soft-mark', 'hard-mark', 'does-not-fit', 'overflow')
     ORDER BY a.id DESC LIMIT :limit`,
    { sessionId, after, limit },
  ).reverse();
}
/** What models read and wrote for all attempts of a session. */
export function spentOnAttempts(db: ReadDb, sessionId: SessionId): Spent {
  const spent = one<Spent>(
    db,
    `SELECT coalesce(sum(tokens_read), 0) AS read, coalesce(sum(tokens_written), 0) AS written
     FROM attempts WHERE session_id = :sessionId`,
    { sessionId },
  );
  return spent ?? { read: 0, written: 0 };
}
/** The newest attempt of a session, ended or not; 0 = none. */
export function lastAttempt(db: ReadDb, sessionId: SessionId): AttemptId {
  const row = one<{ id: AttemptId | null }>(db, 'SELECT max(id) AS id FROM attempts WHERE session_id = :sessionId', {
    sessionId,
  });
  return row?.id ?? (0 as AttemptId);
}
