import type { BranchId, SessionId } from '../../shared/model/ids';
import { all, one, type ReadDb, run, type WriteTx } from './database';

export interface StoredBranch {
  readonly id: BranchId;
  readonly sessionId: SessionId;
  readonly parentId: BranchId | null;
  readonly forkSeq: number;
}

/** One stretch of a path: rows of `branchId` with low < seq <= high. Newest stretch first; its `high` is open. */
export interface Stretch {
  readonly branchId: BranchId;
  readonly low: number;
  readonly high: number;
}

const OPEN_END = 9_007_199_254_740_991;

/** The recursive table `path (branch_id, parent_id, low, high)` of :branch, to put before a SELECT. */
export const PATH = `WITH RECURSIVE path (branch_id, parent_id, low, high) AS (
  SELECT id, parent_id, fork_seq, ${OPEN_END} FROM branches WHERE id = :branch
  UNION ALL SELECT b.id, b.parent_id, b.fork_seq, min(path.low, path.high) FROM path JOIN branches b ON b.id = path.parent_id)`;

/** A branch that shares the path up to `forkSeq` and goes its own way from there. */
export function insertFork(
  tx: WriteTx,
  fork: { sessionId: SessionId; parentId: BranchId; forkSeq: number; now: number },
): BranchId {
  return run(
    tx,
    'INSERT INTO branches (session_id, parent_id, fork_seq, created_at) VALUES (:sessionId, :parentId, :forkSeq, :now)',
    fork,
  ).rowid as BranchId;
}

export function getBranch(db: ReadDb, id: BranchId): StoredBranch | null {
  return one<StoredBranch>(
    db,
    'SELECT id, session_id AS sessionId, parent_id AS parentId, fork_seq AS forkSeq FROM branches WHERE id = :id',
    { id },
  );
}

export function branchesOf(db: ReadDb, sessionId: SessionId): StoredBranch[] {
  return all<StoredBranch>(
    db,
    `SELECT id, session_id AS sessionId, parent_id AS parentId, fork_seq AS forkSeq FROM branches
     WHERE session_id = :sessionId ORDER BY id`,
    { sessionId },
  );
}

export function pathOf(db: ReadDb, branch: BranchId): Stretch[] {
  return all<Stretch>(db, `${PATH} SELECT branch_id AS branchId, low, high FROM path`, { branch });
}

/** Branches to whose paths a summary applies that ends with that message of that branch. */
export function pathsWith(branches: readonly StoredBranch[], branch: BranchId, seq: number): BranchId[] {
  const after = (parent: BranchId, from: number): BranchId[] =>
    branches
      .filter((one) => one.parentId === parent && one.forkSeq >= from)
      .flatMap((one) => [one.id, ...after(one.id, 0)]);
  return [branch, ...after(branch, seq)];
}

/** True where both paths hold the same messages up to that number. */
export function sameUpTo(db: ReadDb, one: BranchId, other: BranchId, seq: number): boolean {
  return one === other || ownerOf(pathOf(db, one), seq) === ownerOf(pathOf(db, other), seq);
}

/** The branch that owns the row `seq` of this path; the root for 0. */
export function ownerOf(path: readonly Stretch[], seq: number): BranchId {
  const stretch = path.find((one) => seq > one.low && seq <= one.high) ?? path.at(-1);
  if (!stretch) throw new Error('empty path');
  return stretch.branchId;
}
