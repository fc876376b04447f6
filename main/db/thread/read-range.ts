import type { BranchId } from '../../../shared/model/ids';
import type { PathReader, ReadRow } from '../path-reader';

/** Steps of a long read: the thread does other work between two of them. */
export type Steps<T> = Generator<undefined, T>;

export interface RangeJob {
  readonly branch: BranchId;
  readonly from: number;
  readonly to: number;
}

/** Calls `read` with each message of the range, in order, one page a step. */
export function* readRange(path: PathReader, range: RangeJob, read: (message: ReadRow) => void): Steps<void> {
  for (const page of path.pages(range.from, range.to)) {
    for (const message of page) read(message);
    yield;
  }
}
