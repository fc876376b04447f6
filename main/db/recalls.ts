/** Passages that turns have recalled: kept in `texts`, named by `turns.recalled`. */
import type { BranchId, SummaryId, TurnId } from '../../shared/model/ids';
import type { RecalledPassage } from '../../shared/model/message';
import { ownerOf, pathOf } from './branches-table';
import { all, type ReadDb, run, type WriteTx } from './database';
import { putText } from './texts-table';

/** What one turn recalled. It holds as long as the path shows the same summaries. */
interface Recall {
  readonly view: readonly SummaryId[];
  readonly passages: readonly RecalledPassage[];
}

export interface StoredRecall {
  /** Number of the user message before which it stands. */
  readonly rid: number;
  /** Hex; names it in recipes. */
  readonly hash: string;
  readonly passages: readonly RecalledPassage[];
}

/** Keeps what an open turn recalled, before the request that carries it leaves. */
export function storeRecall(tx: WriteTx, turn: TurnId, recall: Recall): void {
  const hash = putText(tx, JSON.stringify({ view: recall.view, passages: recall.passages } satisfies Recall));
  run(tx, 'UPDATE turns SET recalled = :hash WHERE id = :turn AND ended_at IS NULL', { hash, turn });
}

/** A user message of a path. */
export interface Question {
  readonly rid: number;
  readonly seq: number;
}

interface Row {
  readonly rid: number;
  /** The path that the turn ran on. */
  readonly branch: BranchId;
  readonly hash: Buffer;
  readonly text: string;
}

/** Of turns on these messages that ran on the path of that branch, oldest first: paths may share a question, not its answer. */
function recallsOnPath(db: ReadDb, branch: BranchId, questions: readonly Question[]): Row[] {
  if (questions.length === 0) return [];
  const rows = all<Row>(
    db,
    `SELECT t.message_rid AS rid, t.branch_id AS branch, t.recalled AS hash, x.text FROM json_each(:rids) j
       JOIN turns t ON t.message_rid = j.value JOIN texts x ON x.hash = t.recalled ORDER BY t.id`,
    { rids: JSON.stringify(questions.map(({ rid }) => rid)) },
  );
  if (rows.length === 0) return rows;
  const path = pathOf(db, branch);
  const branches = new Map(questions.map(({ rid, seq }) => [rid, ownerOf(path, seq + 1)]));
  return rows.filter((row) => row.branch === branches.get(row.rid));
}

const parsed = (row: Row) => JSON.parse(row.text) as Recall;

/** What stands before these messages of a path while it shows the summaries `view`; in their order. */
export function recalledIn(
  db: ReadDb,
  branch: BranchId,
  questions: readonly Question[],
  view: readonly SummaryId[],
): StoredRecall[] {
  const rows = recallsOnPath(db, branch, questions);
  return questions.flatMap(({ rid }): StoredRecall[] => {
    const row = rows.findLast((one) => one.rid === rid && parsed(one).view.join() === view.join());
    return row ? [{ rid, hash: row.hash.toString('hex'), passages: parsed(row).passages }] : [];
  });
}

/** What was sent with these messages last on that path, whatever it shows now: for the transcript. */
export function recalledOnce(
  db: ReadDb,
  branch: BranchId,
  questions: readonly Question[],
): Map<number, readonly RecalledPassage[]> {
  return new Map(recallsOnPath(db, branch, questions).map((row) => [row.rid, parsed(row).passages]));
}
