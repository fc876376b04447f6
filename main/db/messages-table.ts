import type { BranchId, MessageId, SessionId, TurnId } from '../../shared/model/ids';
import type { MessageRole, MessageStatus, Usage } from '../../shared/model/message';
import { PATH } from './branches-table';
import { all, one, type ReadDb, run, type WriteTx } from './database';
import { charsOf, type MessageParts } from './message-parts';
import { indexMessage } from './search-index';
import { countMessages } from './sessions-table';

export interface StoredMessage {
  readonly rid: number;
  readonly id: MessageId;
  readonly branchId: BranchId;
  readonly seq: number;
  readonly turnId: TurnId | null;
  readonly role: MessageRole;
  readonly status: MessageStatus;
  readonly text: string;
  readonly parts: MessageParts | null;
  readonly ascii: number;
  readonly cjk: number;
  readonly other: number;
  readonly usage: Usage | null;
  readonly createdAt: number;
  readonly deletedAt: number | null;
}

interface MessageColumns extends Omit<StoredMessage, 'usage' | 'parts'> {
  readonly parts: string | null;
  readonly usage: string | null;
}

const COLUMNS = `m.rid, m.id, m.branch_id AS branchId, m.seq, m.turn_id AS turnId, m.role, m.status,
  CASE m.status WHEN 'streaming' THEN coalesce((SELECT group_concat(text, '') FROM
    (SELECT text FROM stream_parts WHERE message_rid = m.rid ORDER BY n)), '') ELSE m.text END AS text,
  m.parts, m.ascii_chars AS ascii, m.cjk_chars AS cjk, m.other_chars AS other, m.usage, m.created_at AS createdAt,
  m.deleted_at AS deletedAt`;

const toMessage = (row: MessageColumns): StoredMessage => ({
  ...row,
  parts: row.parts === null ? null : (JSON.parse(row.parts) as MessageParts),
  usage: row.usage === null ? null : (JSON.parse(row.usage) as Usage),
});

/** seq of the last row on the path of a branch; the fork's own seq where the branch has no rows yet. */
export function lastSeq(db: ReadDb, branch: BranchId): number {
  return (
    one<{ seq: number }>(
      db,
      `SELECT coalesce((SELECT max(seq) FROM messages WHERE branch_id = :branch),
        (SELECT fork_seq FROM branches WHERE id = :branch), 0) AS seq`,
      { branch },
    )?.seq ?? 0
  );
}

/** Inserts at the end of the branch's path; seq is taken here, in the inserting transaction. Keeps counters and index. */
export function insertMessage(
  tx: WriteTx,
  message: {
    id: MessageId;
    sessionId: SessionId;
    branchId: BranchId;
    role: MessageRole;
    status: MessageStatus;
    text: string;
    parts?: MessageParts;
    turnId: TurnId | null;
    now: number;
    /** False for what only quotes this session: a search finds the original, once. */
    searchable?: boolean;
  },
): { rid: number; seq: number } {
  const seq = lastSeq(tx, message.branchId) + 1;
  const chars = charsOf(message.text, message.parts ?? null);
  const { rowid } = run(
    tx,
    `INSERT INTO messages (id, branch_id, seq, turn_id, role, status, text, parts, ascii_chars, cjk_chars, other_chars,
       created_at)
     VALUES (:id, :branch, :seq, :turn, :role, :status, :text, :parts, :ascii, :cjk, :other, :now)`,
    {
      id: message.id,
      branch: message.branchId,
      seq,
      turn: message.turnId,
      role: message.role,
      status: message.status,
      text: message.status === 'streaming' ? '' : message.text,
      parts: message.parts ? JSON.stringify(message.parts) : null,
      ...chars,
      now: message.now,
    },
  );
  if (message.status !== 'streaming' && message.searchable !== false) indexMessage(tx, rowid, message.text);
  countMessages(tx, message.sessionId, 1, message.text.length, message.now);
  return { rid: rowid, seq };
}

/** Appends a piece of a streaming answer. */
export function appendPart(tx: WriteTx, rid: number, n: number, text: string): void {
  run(tx, 'INSERT INTO stream_parts (message_rid, n, text) VALUES (:rid, :n, :text)', { rid, n, text });
}

/** What was flushed of a streaming answer. */
export function joinedParts(db: ReadDb, rid: number): string {
  return all<{ text: string }>(db, 'SELECT text FROM stream_parts WHERE message_rid = :rid ORDER BY n', { rid })
    .map((row) => row.text)
    .join('');
}

/** Ends a streaming answer: its text is joined and indexed once, its parts go. */
export function finishMessage(
  tx: WriteTx,
  sessionId: SessionId,
  rid: number,
  end: { status: 'complete' | 'partial'; text: string; parts?: MessageParts; usage: Usage | null; now: number },
): void {
  const { changes } = run(
    tx,
    `UPDATE messages SET status = :status, text = :text, parts = :parts, usage = :usage, ascii_chars = :ascii, cjk_chars = :cjk,
       other_chars = :other WHERE rid = :rid AND status = 'streaming'`,
    {
      rid,
      status: end.status,
      text: end.text,
      parts: end.parts ? JSON.stringify(end.parts) : null,
      usage: end.usage && JSON.stringify(end.usage),
      ...charsOf(end.text, end.parts ?? null),
    },
  );
  if (changes === 0) return;
  run(tx, 'DELETE FROM stream_parts WHERE message_rid = :rid', { rid });
  indexMessage(tx, rid, end.text);
  countMessages(tx, sessionId, 0, end.text.length, end.now);
}

/** Takes away a streaming answer that never got a piece of text: the turn ended before it began. Twice is once. */
export function dropEmptyAnswer(tx: WriteTx, sessionId: SessionId, rid: number, now: number): void {
  const { changes } = run(tx, `DELETE FROM messages WHERE rid = :rid AND status = 'streaming'`, { rid });
  if (changes > 0) countMessages(tx, sessionId, -1, 0, now);
}

export function getMessage(db: ReadDb, id: MessageId): StoredMessage | null {
  const row = one<MessageColumns>(db, `SELECT ${COLUMNS} FROM messages m WHERE m.id = :id`, { id });
  return row && toMessage(row);
}
export function getMessageByRid(db: ReadDb, rid: number): StoredMessage | null {
  const row = one<MessageColumns>(db, `SELECT ${COLUMNS} FROM messages m WHERE m.rid = :rid`, { rid });
  return row && toMessage(row);
}

const ON_PATH = `FROM path JOIN messages m ON m.branch_id = path.branch_id AND m.seq > path.low AND m.seq <= path.high`;

/** Messages of the path with from <= seq <= to, in order. Binned ones are left out. */
export function messagesBetween(db: ReadDb, branch: BranchId, from: number, to: number): StoredMessage[] {
  return all<MessageColumns>(
    db,
    `${PATH} SELECT ${COLUMNS} ${ON_PATH} WHERE m.seq BETWEEN :from AND :to AND m.deleted_at IS NULL ORDER BY m.seq`,
    { branch, from, to },
  ).map(toMessage);
}

/** The last `limit` messages of the path before `before`, newest first. */
export function messagesBefore(db: ReadDb, branch: BranchId, before: number, limit: number): StoredMessage[] {
  return all<MessageColumns>(
    db,
    `${PATH} SELECT ${COLUMNS} ${ON_PATH} WHERE m.seq < :before AND m.deleted_at IS NULL ORDER BY m.seq DESC LIMIT :limit`,
    { branch, before, limit },
  ).map(toMessage);
}

export interface MessageSize {
  readonly rid: number;
  readonly seq: number;
  readonly role: MessageRole;
  readonly ascii: number;
  readonly cjk: number;
  readonly other: number;
}
/** Sizes only, for planning: seq, role and characters by script of from <= seq <= to, in order. */
export function sizesBetween(db: ReadDb, branch: BranchId, from: number, to: number): MessageSize[] {
  return all<MessageSize>(
    db,
    `${PATH} SELECT m.rid, m.seq, m.role, m.ascii_chars AS ascii, m.cjk_chars AS cjk, m.other_chars AS other ${ON_PATH}
     WHERE m.seq BETWEEN :from AND :to AND m.deleted_at IS NULL AND m.status <> 'streaming' ORDER BY m.seq`,
    { branch, from, to },
  );
}

/** Sizes of the last `limit` messages of the path before `before`, newest first; no text is read. */
export function sizesBefore(db: ReadDb, branch: BranchId, before: number, limit: number): MessageSize[] {
  return all<MessageSize>(
    db,
    `${PATH} SELECT m.rid, m.seq, m.role, m.ascii_chars AS ascii, m.cjk_chars AS cjk, m.other_chars AS other ${ON_PATH}
     WHERE m.seq < :before AND m.deleted_at IS NULL AND m.status <> 'streaming' ORDER BY m.seq DESC LIMIT :limit`,
    { branch, before, limit },
  );
}

/** How many messages of that range on the path were put into the bin. */
export function binnedBetween(db: ReadDb, branch: BranchId, from: number, to: number): number {
  return (
    one<{ n: number }>(
      db,
      `${PATH} SELECT count(*) AS n ${ON_PATH} WHERE m.seq BETWEEN :from AND :to AND m.deleted_at IS NOT NULL`,
      { branch, from, to },
    )?.n ?? 0
  );
}

/** What servers reported of the answers that this branch itself has with from <= seq <= to. */
export function usagesBetween(
  db: ReadDb,
  branch: BranchId,
  from: number,
  to: number,
): { readonly usage: Usage; readonly at: number }[] {
  return all<{ usage: string; at: number }>(
    db,
    `SELECT usage, created_at AS at FROM messages
     WHERE branch_id = :branch AND seq BETWEEN :from AND :to AND usage IS NOT NULL ORDER BY seq`,
    { branch, from, to },
  ).map(({ usage, at }) => ({ usage: JSON.parse(usage) as Usage, at }));
}
