/** Reads what a recall is ranked from: how common each term is, and the covered messages that match best. */
import type { BranchId } from '../../shared/model/ids';
import type { RecallSource } from '../compression/recall';
import { type RecallTerm, termExpression } from '../compression/recall-terms';
import { PATH } from './branches-table';
import { all, one, type ReadDb } from './database';

/** Messages of one term that are counted: a term in more of them says little alone, and its ranking would cost much. */
const COMMON = 1_000;
/** Terms that are searched for, the rarest. */
const TERMS = 16;
/** Messages that are ranked because they hold one term. */
const RANKED = 1_500;
/** Of those the ones that are looked for in pairs, each with the others and with one that is commoner. */
const PAIRED = 4;
/** Messages that are ranked by passage, of each kind. */
const CANDIDATES = 40;

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

/**
 * The best matches among the messages of the path that lie in one of the ranges: those that hold all of the words, two
 * of the rarest, or one. A long message that holds all may rank below short ones that hold one.
 */
export function recallCandidates(
  db: ReadDb,
  branch: BranchId,
  ranges: readonly { readonly from: number; readonly to: number }[],
  terms: readonly RecallTerm[],
  counts: readonly number[],
): RecallSource[] {
  if (ranges.length === 0) return [];
  const byCount = terms
    .map((term, i) => ({ match: termExpression(term), of: term.of, count: counts[i] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, TERMS);
  const telling = byCount.filter(({ count }) => count < COMMON);
  const pairs = telling.slice(0, PAIRED).flatMap((one, i) =>
    byCount
      .slice(i + 1, PAIRED + 1)
      .filter((other) => other.of !== one.of)
      .map((other) => `(${one.match} AND ${other.match})`),
  );
  const words = new Map<number, string[]>();
  // once is in the question itself
  for (const { of, match, count } of byCount) if (count > 1) words.set(of, [...(words.get(of) ?? []), match]);
  const all = [...words.values()].slice(0, PAIRED + 2).map((forms) => `(${forms.join(' OR ')})`);
  let ranked = 0;
  const alone = telling.filter(({ count }) => {
    ranked += count;
    return ranked <= RANKED;
  });
  const found = new Map<number, RecallSource>();
  for (const match of [all.join(' AND '), pairs.join(' OR '), alone.map(({ match }) => match).join(' OR ')])
    if (match !== '') for (const source of matching(db, branch, ranges, match)) found.set(source.seq, source);
  return [...found.values()];
}

function matching(db: ReadDb, branch: BranchId, ranges: readonly { from: number; to: number }[], match: string) {
  return all<RecallSource>(
    db,
    `${PATH}, best (rid) AS (
       SELECT m.rid FROM messages_fts f CROSS JOIN messages m ON m.rid = f.rowid
         CROSS JOIN path ON m.branch_id = path.branch_id AND m.seq > path.low AND m.seq <= path.high
       WHERE messages_fts MATCH :match AND m.deleted_at IS NULL
         AND EXISTS (SELECT 1 FROM json_each(:ranges) r
           WHERE m.seq BETWEEN json_extract(r.value, '$.from') AND json_extract(r.value, '$.to'))
       ORDER BY f.rank, m.seq DESC LIMIT ${CANDIDATES})
     SELECT m.seq, m.role, m.text FROM best JOIN messages m ON m.rid = best.rid`,
    { branch, match, ranges: JSON.stringify(ranges) },
  );
}

/** Messages that the index holds. */
export function indexedMessages(db: ReadDb): number {
  return one<{ n: number }>(db, 'SELECT coalesce(max(id), 0) AS n FROM messages_fts_docsize')?.n ?? 0;
}
