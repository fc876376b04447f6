import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import { all, one, type ReadDb, run, type WriteTx } from './database';

export interface StoredOutboxItem {
  readonly id: MessageId;
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly position: number;
  readonly text: string;
  readonly createdAt: number;
}

const COLUMNS = 'id, session_id AS sessionId, branch_id AS branchId, position, text, created_at AS createdAt';

/** Adds at the end. A repeated id is a no-op: false. */
export function addToOutbox(
  tx: WriteTx,
  item: { id: MessageId; sessionId: SessionId; branchId: BranchId; text: string; now: number },
): boolean {
  return (
    run(
      tx,
      `INSERT INTO outbox (id, session_id, branch_id, position, text, created_at)
       SELECT :id, :sessionId, :branchId, coalesce((SELECT max(position) FROM outbox WHERE session_id = :sessionId), 0) + 1,
         :text, :now
       WHERE NOT EXISTS (SELECT 1 FROM messages WHERE id = :id) ON CONFLICT (id) DO NOTHING`,
      item,
    ).changes === 1
  );
}

export function outboxOf(db: ReadDb, sessionId: SessionId): StoredOutboxItem[] {
  return all(db, `SELECT ${COLUMNS} FROM outbox WHERE session_id = :sessionId ORDER BY position`, { sessionId });
}
export function firstInOutbox(db: ReadDb, sessionId: SessionId): StoredOutboxItem | null {
  return one(db, `SELECT ${COLUMNS} FROM outbox WHERE session_id = :sessionId ORDER BY position LIMIT 1`, {
    sessionId,
  });
}
export function editOutboxItem(tx: WriteTx, sessionId: SessionId, id: MessageId, text: string): boolean {
  return (
    run(tx, 'UPDATE outbox SET text = :text WHERE session_id = :sessionId AND id = :id', { sessionId, id, text })
      .changes === 1
  );
}
export function removeFromOutbox(tx: WriteTx, sessionId: SessionId, id: MessageId): boolean {
  return run(tx, 'DELETE FROM outbox WHERE session_id = :sessionId AND id = :id', { sessionId, id }).changes === 1;
}

/** Moves an item before another one, or to the end: it takes the middle of its new neighbours. */
export function moveInOutbox(tx: WriteTx, sessionId: SessionId, id: MessageId, before: MessageId | null): boolean {
  const others = outboxOf(tx, sessionId).filter((item) => item.id !== id);
  const at = before === null ? others.length : others.findIndex((item) => item.id === before);
  if (at < 0) return false;
  const low = others[at - 1]?.position ?? (others[at]?.position ?? 1) - 2;
  const high = others[at]?.position ?? low + 2;
  return (
    run(tx, 'UPDATE outbox SET position = :position WHERE session_id = :sessionId AND id = :id', {
      sessionId,
      id,
      position: (low + high) / 2,
    }).changes === 1
  );
}
