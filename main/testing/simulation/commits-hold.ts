/** I2, I3, I11: what is committed was committed by who had the right to, on what the path showed, and it gains. */
import type { BranchId } from '../../../shared/model/ids';
import { coveringSummary, shownSummaries } from '../../compression/view';
import { PATH } from '../../db/branches-table';
import { all, type ReadDb } from '../../db/database';
import { type Memory, must } from './memory';

interface Row {
  readonly id: number;
  readonly session: string;
  readonly branch: number;
  readonly parent: number | null;
  readonly active: number;
  /** null = written by the user. */
  readonly attempt: number | null;
  readonly epoch: number | null;
  readonly coversFrom: number;
  readonly coversTo: number;
  readonly kind: 'text' | 'stubs';
  readonly before: number;
  readonly after: number;
  /** The path it was made on: of its attempt, of the proposal that the user's text took the place of, or its own. */
  readonly path: BranchId;
  readonly outcome: string | null;
  readonly state: string;
  /** Accepting attempts that committed it. */
  readonly accepts: number;
}

export function commitsHold(db: ReadDb, memory: Memory): void {
  const rows = all<Row>(
    db,
    `SELECT s.id, s.session_id AS session, s.branch_id AS branch, s.parent_id AS parent, s.state = 'active' AS active, s.state,
       (SELECT count(*) FROM attempts x WHERE x."trigger" = 'accept' AND x.outcome = 'committed'
          AND json_extract(x.detail, '$.summaryId') = s.id) AS accepts,
       s.attempt_id AS attempt, s.epoch,
       s.covers_from AS coversFrom, s.covers_to AS coversTo, s.kind, s.tokens_before AS before, s.tokens_after AS after,
       coalesce(a.branch_id, json_extract(s.receipt, '$.plannedOn.branchId'), s.branch_id) AS path, a.outcome
     FROM summaries s LEFT JOIN attempts a ON a.id = s.attempt_id ORDER BY s.id`,
  );
  for (const row of rows) {
    const byUser = row.attempt === null;
    must(
      byUser ||
        row.outcome === 'committed' ||
        (row.outcome === 'proposed' && (row.state !== 'active' || row.accepts === 1)),
      `I2 summary ${row.id} was written by an attempt that ended as ${row.outcome}`,
    );
    must(row.accepts <= 1, `I3 summary ${row.id} was accepted ${row.accepts} times`);
    if (row.accepts === 1 && !memory.acceptances.has(row.id)) acceptanceHolds(db, rows, row, memory);
    if (memory.summaries.has(row.id)) continue;
    must(row.after < row.before, `I11 summary ${row.id} gains nothing`);
    const lease = memory.leases.get(`compression ${row.session}`);
    must(byUser || (row.epoch ?? 0) >= (lease?.epoch ?? 0), `I2 summary ${row.id} was written under a passed epoch`);
    // what the user wrote in the place of a proposal stands where that one did: looked at when it is accepted
    if (byUser && row.state !== 'active') continue;
    if (row.kind === 'stubs') continue; // lines stand on no summary
    const before = (path: BranchId) =>
      shownAt(db, rows, { ...row, path }, (other) => memory.active.has(other.id) || !memory.summaries.has(other.id));
    const after = (path: BranchId) => shownAt(db, rows, { ...row, path }, (other) => other.active === 1);
    // a user edits what any path shows; an attempt builds on what its own does
    const paths = byUser ? branchesOf(db, row.session) : [row.path];
    must(
      paths.some((path) => before(path) === row.parent || after(path) === row.parent),
      `I3 summary ${row.id} stands on ${row.parent}, where ${before(row.path) ?? 'nothing'} was shown`,
    );
  }
  memory.active.clear();
  for (const row of rows) {
    memory.summaries.add(row.id);
    if (row.active === 1) memory.active.add(row.id);
  }
}

function branchesOf(db: ReadDb, session: string): BranchId[] {
  const sql = 'SELECT id FROM branches WHERE session_id = :session';
  return all<{ id: BranchId }>(db, sql, { session }).map(({ id }) => id);
}

/** A proposal that is used stands on what the path showed, like any other summary. */
function acceptanceHolds(db: ReadDb, rows: readonly Row[], row: Row, memory: Memory): void {
  memory.acceptances.add(row.id);
  const before = shownAt(db, rows, row, (other) => memory.active.has(other.id), true);
  const after = shownAt(db, rows, row, (other) => other.active === 1, true);
  must(
    before === row.parent || after === row.parent,
    `I3 summary ${row.id} was accepted on ${row.parent}, where ${before ?? 'nothing'} was shown`,
  );
}

/** The summary that the path of `row` showed at its beginning, had it not been written; `counts` = taken as active. */
function shownAt(
  db: ReadDb,
  rows: readonly Row[],
  row: Row,
  counts: (other: Row) => boolean,
  newerToo = false,
): number | null {
  const path = all<{ id: number; low: number; high: number }>(
    db,
    `${PATH} SELECT branch_id AS id, low, high FROM path`,
    {
      branch: row.path,
    },
  );
  const applies = rows.filter(
    (other) =>
      (newerToo ? other.id !== row.id : other.id < row.id) &&
      counts(other) &&
      path.some(({ id, low, high }) => id === other.branch && other.coversTo > low && other.coversTo <= high),
  );
  return coveringSummary(shownSummaries(applies), row.coversFrom)?.id ?? null;
}
