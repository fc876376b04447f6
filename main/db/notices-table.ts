import type { SessionId } from '../../shared/model/ids';
import type { Notice } from '../../shared/model/notice';
import { all, type ReadDb, run, type WriteTx } from './database';

type Kept = Extract<Notice, { id: number }>;
/** Kinds without another durable cause. */
export interface StoredNotice {
  readonly notice: Kept;
  readonly sessionId: SessionId | null;
}

/** A notice before it has its number. */
export type NewNotice =
  | Omit<Extract<Kept, { kind: 'window-learned' }>, 'id'>
  | Omit<Extract<Kept, { kind: 'answer-cut' }>, 'id'>;

/** Raises a notice; an older one of the same kind in that session gives way to it. */
export function raiseNotice(tx: WriteTx, sessionId: SessionId | null, notice: NewNotice, now: number): void {
  const { kind, ...fields } = notice;
  clearNotices(tx, sessionId, kind, now);
  run(tx, 'INSERT INTO notices (session_id, kind, fields, raised_at) VALUES (:sessionId, :kind, :fields, :now)', {
    sessionId,
    kind,
    fields: JSON.stringify(fields),
    now,
  });
}

export function clearNotices(tx: WriteTx, sessionId: SessionId | null, kind: Kept['kind'], now: number): boolean {
  return (
    run(
      tx,
      'UPDATE notices SET cleared_at = :now WHERE session_id IS :sessionId AND kind = :kind AND cleared_at IS NULL',
      { sessionId, kind, now },
    ).changes > 0
  );
}
/** By its number. Answers the session it stood in; undefined = it was gone already. */
export function dismissNotice(tx: WriteTx, id: number, now: number): SessionId | null | undefined {
  const [row] = all<{ sessionId: SessionId | null }>(
    tx,
    'UPDATE notices SET cleared_at = :now WHERE id = :id AND cleared_at IS NULL RETURNING session_id AS sessionId',
    { id, now },
  );
  return row?.sessionId;
}

/** What stands in a session now, the app's own notices included. */
export function noticesStanding(db: ReadDb, sessionId: SessionId): StoredNotice[] {
  return all<{ id: number; kind: Kept['kind']; fields: string; sessionId: SessionId | null }>(
    db,
    `SELECT id, kind, fields, session_id AS sessionId FROM notices
     WHERE cleared_at IS NULL AND (session_id = :sessionId OR session_id IS NULL) ORDER BY id DESC`,
    { sessionId },
  ).map((row) => ({
    sessionId: row.sessionId,
    notice: { id: row.id, kind: row.kind, ...(JSON.parse(row.fields) as object) } as Kept,
  }));
}
