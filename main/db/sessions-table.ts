import type { BranchId, ModelRef, SessionId } from '../../shared/model/ids';
import type { KeptFile } from './attachments-table';
import { all, one, type ReadDb, run, type WriteTx } from './database';

export interface StoredSession {
  readonly id: SessionId;
  readonly title: string;
  readonly titleAuthor: 'app' | 'user';
  readonly model: ModelRef | null;
  readonly promptHash: Buffer | null;
  readonly lastBranch: BranchId;
  readonly messages: number;
  /** Characters of all its messages, binned ones included. */
  readonly chars: number;
  readonly automatic: 'on' | 'off' | 'breaker';
  readonly automaticWhy: string | null;
  readonly review: boolean;
  readonly keepTurns: number;
  readonly draft: string;
  readonly draftFiles: readonly KeptFile[];
  readonly pinnedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

interface SessionColumns {
  id: SessionId;
  title: string;
  title_author: 'app' | 'user';
  provider_id: string | null;
  model: string | null;
  prompt_hash: Buffer | null;
  last_branch: BranchId;
  messages: number;
  chars: number;
  automatic: 'on' | 'off' | 'breaker';
  automatic_why: string | null;
  review: number;
  keep_turns: number;
  draft: string;
  draft_files: string;
  pinned_at: number | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

const toSession = (row: SessionColumns): StoredSession => ({
  id: row.id,
  title: row.title,
  titleAuthor: row.title_author,
  model:
    row.provider_id !== null && row.model !== null
      ? { providerId: row.provider_id as ModelRef['providerId'], model: row.model }
      : null,
  promptHash: row.prompt_hash,
  lastBranch: row.last_branch,
  messages: row.messages,
  chars: row.chars,
  automatic: row.automatic,
  automaticWhy: row.automatic_why,
  review: row.review === 1,
  keepTurns: row.keep_turns,
  draft: row.draft,
  draftFiles: JSON.parse(row.draft_files) as KeptFile[],
  pinnedAt: row.pinned_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
});

/** Makes a session with its root branch (and, by trigger, its two lease rows). Answers the branch. */
export function insertSession(
  tx: WriteTx,
  session: { id: SessionId; title: string; model: ModelRef | null; now: number },
): BranchId {
  run(
    tx,
    `INSERT INTO sessions (id, title, provider_id, model, created_at, updated_at)
     VALUES (:id, :title, :provider, :model, :now, :now)`,
    {
      id: session.id,
      title: session.title,
      provider: session.model?.providerId ?? null,
      model: session.model?.model ?? null,
      now: session.now,
    },
  );
  const { rowid } = run(tx, 'INSERT INTO branches (session_id, created_at) VALUES (:id, :now)', {
    id: session.id,
    now: session.now,
  });
  run(tx, 'UPDATE sessions SET last_branch = :branch WHERE id = :id', { id: session.id, branch: rowid });
  return rowid as BranchId;
}

export function getSession(db: ReadDb, id: SessionId): StoredSession | null {
  const row = one<SessionColumns>(db, 'SELECT * FROM sessions WHERE id = :id', { id });
  return row && toSession(row);
}

/** Newest first, pinned ones before all others on the first page. `before` = updatedAt of the last row seen. */
export function listSessions(
  db: ReadDb,
  page: { before: number | null; limit: number; bin: boolean },
): StoredSession[] {
  const where = page.bin ? 'deleted_at IS NOT NULL' : 'deleted_at IS NULL';
  const before = page.before ?? Number.MAX_SAFE_INTEGER;
  const rows = all<SessionColumns>(
    db,
    `SELECT * FROM sessions WHERE ${where} AND updated_at < :before ${page.bin ? '' : 'AND pinned_at IS NULL'}
     ORDER BY updated_at DESC LIMIT :limit`,
    { before, limit: page.limit },
  );
  if (page.before !== null || page.bin) return rows.map(toSession);
  const pinned = all<SessionColumns>(
    db,
    'SELECT * FROM sessions WHERE deleted_at IS NULL AND pinned_at IS NOT NULL ORDER BY pinned_at',
  );
  return [...pinned, ...rows].map(toSession);
}

type Changes = Partial<{
  title: string;
  titleAuthor: 'app' | 'user';
  model: ModelRef;
  promptHash: Buffer | null;
  lastBranch: BranchId;
  automatic: 'on' | 'off' | 'breaker';
  automaticWhy: string | null;
  review: boolean;
  keepTurns: number;
  draft: string;
  draftFiles: readonly KeptFile[];
  pinnedAt: number | null;
  deletedAt: number | null;
  updatedAt: number;
}>;

const column: Record<Exclude<keyof Changes, 'model'>, string> = {
  title: 'title',
  titleAuthor: 'title_author',
  promptHash: 'prompt_hash',
  lastBranch: 'last_branch',
  automatic: 'automatic',
  automaticWhy: 'automatic_why',
  review: 'review',
  keepTurns: 'keep_turns',
  draft: 'draft',
  draftFiles: 'draft_files',
  pinnedAt: 'pinned_at',
  deletedAt: 'deleted_at',
  updatedAt: 'updated_at',
};

/** Changes the named columns. False = no such session. */
export function changeSession(tx: WriteTx, id: SessionId, changes: Changes): boolean {
  const sets: string[] = [];
  const bound: Record<string, string | number | Buffer | null> = { id };
  for (const [key, value] of Object.entries(changes)) {
    if (key === 'model') {
      sets.push('provider_id = :provider_id', 'model = :model');
      bound.provider_id = (value as ModelRef).providerId;
      bound.model = (value as ModelRef).model;
    } else if (key === 'draftFiles') {
      sets.push('draft_files = :draft_files');
      bound.draft_files = JSON.stringify(value);
    } else {
      const name = column[key as keyof typeof column];
      sets.push(`${name} = :${name}`);
      bound[name] = typeof value === 'boolean' ? Number(value) : (value as string | number | Buffer | null);
    }
  }
  if (sets.length === 0) return true;
  return run(tx, `UPDATE sessions SET ${sets.join(', ')} WHERE id = :id`, bound).changes === 1;
}

/** Part of every transaction that inserts messages: counters are kept, never counted. */
export function countMessages(tx: WriteTx, id: SessionId, messages: number, chars: number, now: number): void {
  run(
    tx,
    'UPDATE sessions SET messages = messages + :messages, chars = chars + :chars, updated_at = :now WHERE id = :id',
    { id, messages, chars, now },
  );
}

/** Sessions put into the bin at or before that time. */
export function sessionsBinnedBefore(db: ReadDb, time: number): SessionId[] {
  return all<{ id: SessionId }>(db, 'SELECT id FROM sessions WHERE deleted_at <= :time', { time }).map((row) => row.id);
}
/** Takes a session and all that belongs to it away for good. Its messages' index entries must be gone by then. */
export function deleteSession(tx: WriteTx, id: SessionId): void {
  run(tx, 'DELETE FROM sessions WHERE id = :id', { id });
}
