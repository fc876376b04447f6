/** Passages that turns have recalled: kept in `texts`, named by `turns.recalled`. */
import type { SummaryId, TurnId } from '../../shared/model/ids';
import type { RecalledPassage } from '../../shared/model/message';
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

interface Row {
  readonly rid: number;
  readonly hash: Buffer;
  readonly text: string;
}

function newest(db: ReadDb, rids: readonly number[]): Map<number, Row> {
  const rows = all<Row>(
    db,
    `SELECT t.message_rid AS rid, t.recalled AS hash, x.text FROM json_each(:rids) j
       JOIN turns t ON t.message_rid = j.value JOIN texts x ON x.hash = t.recalled ORDER BY t.id`,
    { rids: JSON.stringify(rids) },
  );
  return new Map(rows.map((row) => [row.rid, row]));
}

/** What stands before these user messages while the path shows the summaries `view`; in their order. */
export function recalledIn(db: ReadDb, rids: readonly number[], view: readonly SummaryId[]): StoredRecall[] {
  if (rids.length === 0) return [];
  const found = newest(db, rids);
  return rids.flatMap((rid): StoredRecall[] => {
    const row = found.get(rid);
    const recall = row && (JSON.parse(row.text) as Recall);
    if (!recall || recall.view.join() !== view.join()) return [];
    return [{ rid, hash: row.hash.toString('hex'), passages: recall.passages }];
  });
}

/** What was sent with these user messages last, whatever the path shows now: for the transcript. */
export function recalledOnce(db: ReadDb, rids: readonly number[]): Map<number, readonly RecalledPassage[]> {
  if (rids.length === 0) return new Map();
  return new Map([...newest(db, rids)].map(([rid, { text }]) => [rid, (JSON.parse(text) as Recall).passages]));
}
