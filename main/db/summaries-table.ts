import type { Receipt, Strategy, SummaryAuthor, SummarySection } from '../../shared/model/compression';
import type { AttemptId, BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { shownSummaries, type ViewRow } from '../compression/view';
import { PATH } from './branches-table';
import { all, one, type ReadDb, run, type WriteTx } from './database';

export type SummaryState = 'proposed' | 'active' | 'undone' | 'rejected' | 'stale';

export interface StoredSummary {
  readonly id: SummaryId;
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly coversFrom: number;
  readonly coversTo: number;
  readonly parentId: SummaryId | null;
  readonly attemptId: AttemptId | null;
  readonly kind: 'text' | 'stubs';
  readonly state: SummaryState;
  readonly author: SummaryAuthor;
  readonly strategy: Strategy | null;
  readonly model: string | null;
  readonly text: string;
  readonly sections: readonly SummarySection[];
  readonly receipt: Receipt | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly createdAt: number;
}

interface SummaryColumns extends Omit<StoredSummary, 'sections' | 'receipt'> {
  readonly sections: string | null;
  readonly receipt: string | null;
}

const COLUMNS = `s.id, s.session_id AS sessionId, s.branch_id AS branchId, s.covers_from AS coversFrom,
  s.covers_to AS coversTo, s.parent_id AS parentId, s.attempt_id AS attemptId, s.kind, s.state, s.author, s.strategy,
  s.model, s.text, s.sections, s.receipt, s.tokens_before AS tokensBefore, s.tokens_after AS tokensAfter,
  s.created_at AS createdAt`;

const toSummary = (row: SummaryColumns): StoredSummary => ({
  ...row,
  sections: row.sections === null ? [] : (JSON.parse(row.sections) as SummarySection[]),
  receipt: row.receipt === null ? null : (JSON.parse(row.receipt) as Receipt),
});

export interface NewSummary extends Omit<StoredSummary, 'id' | 'createdAt'> {
  readonly epoch: number | null;
  /** Of a row of kind `stubs`, in order; null = a text. */
  readonly stubs: readonly Stub[] | null;
  readonly now: number;
}

/** `branchId` must own the row `coversTo`. The row refuses a summary that is not smaller than what it covers. */
export function insertSummary(tx: WriteTx, summary: NewSummary): SummaryId {
  return run(
    tx,
    `INSERT INTO summaries (session_id, branch_id, covers_from, covers_to, parent_id, attempt_id, epoch, kind, state, author,
       strategy, model, text, sections, stubs, receipt, tokens_before, tokens_after, created_at, changed_at)
     VALUES (:sessionId, :branchId, :coversFrom, :coversTo, :parentId, :attemptId, :epoch, :kind, :state, :author,
       :strategy, :model, :text, :sections, :stubs, :receipt, :tokensBefore, :tokensAfter, :now, :now)`,
    {
      ...summary,
      sections: JSON.stringify(summary.sections),
      stubs: summary.stubs && JSON.stringify(summary.stubs),
      receipt: summary.receipt && JSON.stringify(summary.receipt),
    },
  ).rowid as SummaryId;
}

export function getSummary(db: ReadDb, id: SummaryId): StoredSummary | null {
  const row = one<SummaryColumns>(db, `SELECT ${COLUMNS} FROM summaries s WHERE s.id = :id`, { id });
  return row && toSummary(row);
}

/** Ranges of the active summaries that apply to the path of that branch; which of them show is `compression/view`. */
export function activeRanges(db: ReadDb, branch: BranchId): (ViewRow & { readonly id: SummaryId })[] {
  return all(
    db,
    `${PATH} SELECT s.id, s.covers_from AS coversFrom, s.covers_to AS coversTo, s.kind FROM path
       JOIN summaries s ON s.branch_id = path.branch_id AND s.covers_to <= path.high AND s.covers_to > path.low
     WHERE s.state = 'active' ORDER BY s.id`,
    { branch },
  );
}
/** The summaries that the path shows, in order: only these are read whole. `without` = as if those were undone. */
export function shownOnPath(
  db: ReadDb,
  branch: BranchId,
  without: ReadonlySet<SummaryId> = new Set(),
): StoredSummary[] {
  const ranges = activeRanges(db, branch).filter(({ id }) => !without.has(id));
  return shownSummaries(ranges).flatMap(({ id }) => getSummary(db, id) ?? []);
}

/** A text summary that was committed once, without its text. */
export interface SummaryRecord extends Omit<ViewRow, 'id' | 'kind'> {
  readonly id: SummaryId;
  readonly branchId: BranchId;
  readonly state: 'active' | 'undone';
  readonly author: SummaryAuthor;
  readonly strategy: Strategy | null;
  readonly model: string | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly createdAt: number;
}
/** Every committed text summary that applies to the path of that branch, newest first, the undone ones too. */
export function recordsOnPath(db: ReadDb, branch: BranchId): SummaryRecord[] {
  return all(
    db,
    `${PATH} SELECT s.id, s.branch_id AS branchId, s.covers_from AS coversFrom, s.covers_to AS coversTo, s.state,
       s.author, s.strategy, s.model, s.tokens_before AS tokensBefore, s.tokens_after AS tokensAfter,
       s.created_at AS createdAt FROM path
       JOIN summaries s ON s.branch_id = path.branch_id AND s.covers_to <= path.high AND s.covers_to > path.low
     WHERE s.state IN ('active', 'undone') AND s.kind = 'text' ORDER BY s.id DESC`,
    { branch },
  );
}

/** One line that is sent in the place of a message. */
export interface Stub {
  readonly seq: number;
  readonly text: string;
}
/** A stub with the row that holds it. */
export interface PlacedStub extends Stub {
  readonly summaryId: SummaryId;
}

/** Stubs of the path by message; of two rows that name one, the newest. A stub shows where no text summary covers it. */
export function stubsOnPath(db: ReadDb, branch: BranchId): Map<number, PlacedStub> {
  const found = new Map<number, PlacedStub>();
  for (const { id, kind } of activeRanges(db, branch)) {
    if (kind !== 'stubs') continue;
    const row = one<{ stubs: string }>(db, 'SELECT stubs FROM summaries WHERE id = :id', { id });
    for (const stub of JSON.parse(row?.stubs ?? '[]') as Stub[]) found.set(stub.seq, { ...stub, summaryId: id });
  }
  return found;
}

/** Undo and redo: a change of state, nothing else. False = it was not in the state it was expected in. */
export function changeSummaryState(
  tx: WriteTx,
  id: SummaryId,
  change: { from: SummaryState; to: SummaryState; now: number },
): boolean {
  return (
    run(tx, 'UPDATE summaries SET state = :to, changed_at = :now WHERE id = :id AND state = :from', { id, ...change })
      .changes === 1
  );
}

/** The one that waits for a review, or null. */
export function proposalOf(db: ReadDb, sessionId: SessionId): StoredSummary | null {
  const row = one<SummaryColumns>(
    db,
    `SELECT ${COLUMNS} FROM summaries s WHERE s.session_id = :sessionId AND s.state = 'proposed'`,
    { sessionId },
  );
  return row && toSummary(row);
}
/** The session goes on without the proposal that waited. False = none did. */
export function retireProposal(tx: WriteTx, sessionId: SessionId, now: number): boolean {
  return (
    run(
      tx,
      `UPDATE summaries SET state = 'stale', changed_at = :now WHERE session_id = :sessionId AND state = 'proposed'`,
      { sessionId, now },
    ).changes > 0
  );
}
/** State of the newest summary that was once up for a review; null = there was none. */
export function lastReviewed(db: ReadDb, sessionId: SessionId): SummaryState | null {
  const row = one<{ state: SummaryState }>(
    db,
    `SELECT state FROM summaries WHERE session_id = :sessionId AND json_extract(receipt, '$.plannedOn') IS NOT NULL
     ORDER BY id DESC LIMIT 1`,
    { sessionId },
  );
  return row?.state ?? null;
}
