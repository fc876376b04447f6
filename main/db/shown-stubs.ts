import type { BranchId } from '../../shared/model/ids';
import type { ReadDb } from './database';
import { pinsOnPath } from './pins-table';
import { type PlacedStub, stubsOnPath } from './summaries-table';

/** The stubs that requests carry: a pinned message stays word for word, also where it was pinned afterwards. */
export function shownStubs(db: ReadDb, branch: BranchId): Map<number, PlacedStub> {
  const stubs = stubsOnPath(db, branch);
  if (stubs.size > 0) for (const pin of pinsOnPath(db, branch)) stubs.delete(pin.seq);
  return stubs;
}
