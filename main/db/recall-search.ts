/** Reads what a recall is ranked from: how common each term is, and the covered messages that match best. */
import type { BranchId } from '../../shared/model/ids';
import type { RecallSource } from '../compression/recall';
import { type RecallTerm, termExpression } from '../compression/recall-terms';
import { PATH } from './branches-table';
import { all, one, type ReadDb } from './database';

/** Messages of one term that are counted: a term in more of them says little, and its ranking would cost much. */
const COMMON = 2_000;
/** Terms that are searched for, the rarest. */
const TERMS = 16;
/** Messages that are ranked by passage. */
const CANDIDATES = 48;

/** Messages of the profile that hold each term, up to `COMMON`. */
export function termCounts(db: ReadDb, terms: readonly RecallTerm[]): number[] {
  return terms.map(
    (term) =>
      one<{ n: number }>(
        db,
        `SELECT count(*) AS n FROM (SELECT 1 FROM messages_fts WHERE messages_fts MATCH :match LIMIT ${COMMON})`,
        { match: termExpression(term) },
      )?.n ?? 0,
  );
}

/** The best matches among the messages of the path that lie in one of the ranges. */
export function recallCandidates(
  db: ReadDb,
  branch: BranchId,
  ranges: readonly { readonly from: number; readonly to: number }[],
  terms: readonly RecallTerm[],
  counts: readonly number[],
): RecallSource[] {
  const rarest = terms
    .map((term, i) => ({ term, count: counts[i] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, TERMS);
  const telling = rarest.filter(({ count }) => count < COMMON);
  const match = (telling.length > 0 ? telling : rarest.slice(0, 1))
    .map(({ term }) => termExpression(term))
    .join(' OR ');
  if (match === '' || ranges.length === 0) return [];
  return all<RecallSource>(
    db,
    `${PATH} SELECT m.seq, m.role, m.text
     FROM messages_fts f CROSS JOIN messages m ON m.rid = f.rowid
       CROSS JOIN path ON m.branch_id = path.branch_id AND m.seq > path.low AND m.seq <= path.high
     WHERE messages_fts MATCH :match AND m.deleted_at IS NULL
       AND EXISTS (SELECT 1 FROM json_each(:ranges) r
         WHERE m.seq BETWEEN json_extract(r.value, '$.from') AND json_extract(r.value, '$.to'))
     ORDER BY f.rank, m.seq DESC LIMIT ${CANDIDATES}`,
    { branch, match, ranges: JSON.stringify(ranges) },
  );
}

/** Messages that the index holds. */
export function indexedMessages(db: ReadDb): number {
  return one<{ n: number }>(db, 'SELECT coalesce(max(id), 0) AS n FROM messages_fts_docsize')?.n ?? 0;
}
