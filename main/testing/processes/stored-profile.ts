/** What a profile's file holds, read beside whoever has it open. */
import type { BranchId, SessionId } from '../../../shared/model/ids';
import { all, one, type ReadDb } from '../../db/database';
import { openForReading, openForWriting } from '../../db/open';

export interface StoredRow {
  readonly id: string;
  readonly branch: number;
  readonly seq: number;
  readonly role: string;
  readonly status: string;
  readonly text: string;
}

export class StoredProfile {
  readonly db: ReadDb;
  readonly file: string;

  constructor(file: string) {
    this.file = file;
    this.db = openForReading(file);
  }
  close(): void {
    this.db.close();
  }

  /** What was read for earlier summaries is read again: a model is asked for the next one. */
  forgetCheckpoints(): void {
    const db = openForWriting(this.file);
    db.exec('DELETE FROM summary_chunks');
    db.close();
  }

  number(sql: string): number {
    return Number(Object.values(one<Record<string, number>>(this.db, sql) ?? { n: 0 })[0]);
  }
  sessions(): SessionId[] {
    return all<{ id: SessionId }>(this.db, 'SELECT id FROM sessions ORDER BY created_at, id').map(({ id }) => id);
  }
  /** The branch that a session shows. */
  branchOf(sessionId: SessionId): BranchId {
    const row = one<{ id: BranchId }>(this.db, 'SELECT last_branch AS id FROM sessions WHERE id = :sessionId', {
      sessionId,
    });
    if (!row) throw new Error(`no session ${sessionId}`);
    return row.id;
  }
  /** All messages; a streaming one with what was flushed of it. */
  messages(): StoredRow[] {
    return all<StoredRow>(
      this.db,
      `SELECT id, branch_id AS branch, seq, role, status, CASE status WHEN 'streaming' THEN coalesce((SELECT group_concat(text, '')
         FROM (SELECT text FROM stream_parts WHERE message_rid = m.rid ORDER BY n)), '') ELSE text END AS text
       FROM messages m ORDER BY branch_id, seq`,
    );
  }
  /** Ids of the user's messages of a session: what was sent, then what waits. */
  ofUser(sessionId: SessionId): string[] {
    return all<{ id: string }>(
      this.db,
      `SELECT id FROM (SELECT m.id, 0 AS waits, m.branch_id AS b, m.seq AS s FROM messages m JOIN branches ON branches.id = m.branch_id
           WHERE branches.session_id = :sessionId AND m.role = 'user'
         UNION ALL SELECT id, 1, 0, position FROM outbox WHERE session_id = :sessionId) ORDER BY waits, b, s`,
      { sessionId },
    ).map(({ id }) => id);
  }
}
