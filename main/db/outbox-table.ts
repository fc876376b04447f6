import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import type { KeptFile } from './attachments-table';
import { all, one, type ReadDb, run, type WriteTx } from './database';

export interface StoredOutboxItem {
  readonly id: MessageId;
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly position: number;
  readonly text: string;
  readonly files: readonly KeptFile[];
  readonly createdAt: number;
}

interface OutboxColumns extends Omit<StoredOutboxItem, 'files'> {
  readonly files: string;
}
const toItem = (row: OutboxColumns): StoredOutboxItem => ({ ...row, files: JSON.parse(row.files) as KeptFile[] });

const COLUMNS = 'id, session_id AS sessionId, branch_id AS branchId, position, text, files, created_at AS createdAt';

/** Adds at the end. A repeated id is a no-op: false. */
export function addToOutbox(
  tx: WriteTx,
  item: {
    id: MessageId;
    sessionId: SessionId;
    branchId: BranchId;
    text: string;
    files: readonly KeptFile[];
    now: number;
  },
): boolean {
  return (
    run(
      tx,
      `INSERT INTO outbox (id, session_id, branch_id, position, text, files, created_at)
       SELECT :id, :sessionId, :branchId, coalesce((SELECT max(position) FROM outbox WHERE session_id = :sessionId), 0) + 1,
         :text, :files, :now
       WHERE NOT EXISTS (SELECT 1 FROM messages WHERE id = :id) ON CONFLICT (id) DO NOTHING`,
      { ...item, files: JSON.stringify(item.files) },
    ).changes === 1
  );
}

export function outboxOf(db: ReadDb, sessionId: SessionId): StoredOutboxItem[] {
  return all<OutboxColumns>(db, `SELECT ${COLUMNS} FROM outbox WHERE session_id = :sessionId ORDER BY position`, {
    sessionId,
  }).map(toItem);
}
export function firstInOutbox(db: ReadDb, sessionId: SessionId): StoredOutboxItem | null {
  const row = one<OutboxColumns>(
    db,
    `SELECT ${COLUMNS} FROM outbox WHERE session_id = :sessionId ORDER BY position LIMIT 1`,
    { sessionId },
  );
  return row && toItem(row);
}
/** True where that message waits already. */
export function isWaiting(db: ReadDb, id: MessageId): boolean {
  return one(db, 'SELECT 1 FROM outbox WHERE id = :id', { id }) !== null;
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
