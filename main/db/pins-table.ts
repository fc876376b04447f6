import type { BranchId, MessageId, PinId, SessionId } from '../../shared/model/ids';
import type { MessageRole } from '../../shared/model/message';
import type { Excerpt } from '../../shared/model/pin';
import { PATH } from './branches-table';
import { all, one, type ReadDb, run, type WriteTx } from './database';

/** One life of a pin. Message and place never change; `version` rises when a removed one is set again. */
export interface StoredPin {
  readonly id: PinId;
  readonly version: number;
  readonly messageId: MessageId;
  readonly seq: number;
  readonly role: MessageRole;
  /** null = the whole message. */
  readonly excerpt: Excerpt | null;
  /** Exactly what is pinned. */
  readonly text: string;
}

interface PinColumns extends Omit<StoredPin, 'excerpt'> {
  readonly fromChar: number | null;
  readonly toChar: number | null;
}

const COLUMNS = `p.id, p.version, m.id AS messageId, m.seq, m.role, m.text, p.from_char AS fromChar, p.to_char AS toChar`;

function toPin({ fromChar, toChar, text, ...row }: PinColumns): StoredPin {
  const excerpt = fromChar === null || toChar === null ? null : { from: fromChar, to: toChar };
  return { ...row, excerpt, text: excerpt ? text.slice(excerpt.from, excerpt.to) : text };
}

/** The pins that stand on the path of that branch, in the order of the conversation. Those of binned messages are left out. */
export function pinsOnPath(db: ReadDb, branch: BranchId): StoredPin[] {
  // from the few pins of the session to their messages, not from the path, which may be long
  return all<PinColumns>(
    db,
    `${PATH} SELECT ${COLUMNS} FROM pins p CROSS JOIN messages m ON m.rid = p.message_rid
       JOIN path ON m.branch_id = path.branch_id AND m.seq > path.low AND m.seq <= path.high
     WHERE p.session_id = (SELECT session_id FROM branches WHERE id = :branch) AND p.removed_at IS NULL
       AND m.deleted_at IS NULL
     ORDER BY m.seq, coalesce(p.from_char, 0), p.to_char, p.id`,
    { branch },
  ).map(toPin);
}

/** Standing pins of one message. */
export function pinsOfMessage(db: ReadDb, messageId: MessageId): StoredPin[] {
  return all<PinColumns>(
    db,
    `SELECT ${COLUMNS} FROM messages m CROSS JOIN branches b ON b.id = m.branch_id
       JOIN pins p ON p.session_id = b.session_id AND p.message_rid = m.rid
     WHERE m.id = :messageId AND p.removed_at IS NULL ORDER BY p.id`,
    { messageId },
  ).map(toPin);
}

/** Sets a pin; one that was removed from the very same place stands again, one version on. Answers its id. */
export function putPin(
  tx: WriteTx,
  pin: { id: PinId; sessionId: SessionId; messageRid: number; excerpt: Excerpt | null; now: number },
): PinId {
  const bound = {
    session: pin.sessionId,
    rid: pin.messageRid,
    from: pin.excerpt?.from ?? null,
    to: pin.excerpt?.to ?? null,
  };
  const again = one<{ id: PinId }>(
    tx,
    `UPDATE pins SET removed_at = NULL, version = version + 1 WHERE id = (SELECT id FROM pins
       WHERE session_id = :session AND message_rid = :rid AND from_char IS :from AND to_char IS :to
         AND removed_at IS NOT NULL LIMIT 1) RETURNING id`,
    bound,
  );
  if (again) return again.id;
  run(
    tx,
    `INSERT INTO pins (id, session_id, message_rid, from_char, to_char, created_at)
     VALUES (:id, :session, :rid, :from, :to, :now)`,
    { ...bound, id: pin.id, now: pin.now },
  );
  return pin.id;
}

/** The row stays, so that old requests can be rebuilt. False = it does not stand (any more). */
export function removePin(tx: WriteTx, sessionId: SessionId, id: PinId, now: number): boolean {
  return (
    run(tx, 'UPDATE pins SET removed_at = :now WHERE session_id = :sessionId AND id = :id AND removed_at IS NULL', {
      sessionId,
      id,
      now,
    }).changes === 1
  );
}
