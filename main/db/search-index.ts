import type { SessionId } from '../../shared/model/ids';
import type { MessageRole } from '../../shared/model/message';
import { isCjk } from '../lib/char-counts';
import { all, type ReadDb, run, type WriteTx } from './database';

const SPACE = 32;

/**
 * Sets each CJK character apart by spaces, so that unicode61 makes a token of it. By units in one array: a message may have
 * millions, and the index is written on main's thread.
 */
export function spaced(text: string): string {
  let cjk = 0;
  for (let i = 0; i < text.length; i++) if (isCjk(text.charCodeAt(i))) cjk++;
  if (cjk === 0) return text;
  const units = new Uint16Array(text.length + 2 * cjk);
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const apart = isCjk(unit);
    if (apart) units[at++] = SPACE;
    units[at++] = unit;
    if (apart) units[at++] = SPACE;
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

/** Runs of CJK characters, and of all others: the ranges are those of `isCjk`. */
const SAME_SCRIPT =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+|[^\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+/gu;

/**
 * The FTS5 expression for what a user typed: every word must occur, the last one as a prefix; text in double
 * quotes and runs of CJK characters are phrases. Empty = nothing to search for.
 */
export function matchExpression(query: string): string {
  const terms: string[] = [];
  for (const [, phrase, word] of query.matchAll(/"([^"]+)"|(\S+)/g)) {
    for (const run of (phrase ?? word ?? '').match(SAME_SCRIPT) ?? []) {
      const tokens = spaced(run).match(/[\p{L}\p{N}\p{M}]+/gu);
      if (tokens) terms.push(`"${tokens.join(' ')}"`);
    }
  }
  const last = terms.pop();
  if (last === undefined) return '';
  return [...terms, query.endsWith('"') ? last : `${last}*`].join(' ');
}

/** Adds one complete message to the index. */
export function indexMessage(tx: WriteTx, rid: number, text: string): void {
  if (text !== '') run(tx, 'INSERT INTO messages_fts (rowid, text) VALUES (:rid, :text)', { rid, text: spaced(text) });
}
export function unindexMessage(tx: WriteTx, rid: number): void {
  run(tx, 'DELETE FROM messages_fts WHERE rowid = :rid', { rid });
}

export interface IndexHit {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly seq: number;
  readonly role: MessageRole;
  readonly text: string;
  readonly createdAt: number;
}

/** Best ranked messages that match, binned ones and binned sessions left out. */
export function searchMessages(
  db: ReadDb,
  search: { query: string; sessionId: SessionId | null; limit: number },
): IndexHit[] {
  const match = matchExpression(search.query);
  if (match === '') return [];
  return all<IndexHit>(
    db,
    `SELECT b.session_id AS sessionId, s.title, m.seq, m.role, m.text, m.created_at AS createdAt
     FROM messages_fts f JOIN messages m ON m.rid = f.rowid JOIN branches b ON b.id = m.branch_id
       JOIN sessions s ON s.id = b.session_id
     WHERE messages_fts MATCH :match AND m.deleted_at IS NULL AND s.deleted_at IS NULL
       AND (:session IS NULL OR b.session_id = :session)
     ORDER BY f.rank, m.created_at DESC LIMIT :limit`,
    { match, session: search.sessionId, limit: search.limit },
  );
}
