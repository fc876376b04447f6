import type { BranchId } from '../../../shared/model/ids';
import { BULKY_TOKENS, stubOf, stubOfFiles } from '../../compression/prune';
import type { TokenRates } from '../../providers/registry-types';
import { tokensOf } from '../../providers/token-estimate';
import type { ReadDb } from '../database';
import { PathReader } from '../path-reader';
import { pinsOnPath } from '../pins-table';
import { type Stub, shownOnPath, stubsOnPath } from '../summaries-table';
import { counter } from './counter';
import { readRange, type Steps } from './read-range';

export interface PruneJob {
  readonly branch: BranchId;
  readonly from: number;
  readonly to: number;
  readonly rates: TokenRates;
}
export interface PruneAnswer {
  /** Messages that can be sent as less, in order; those that are already are left out. */
  readonly stubs: readonly Stub[];
  /** Tokens of those messages as they are, and as stubs. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Stubs for what is bulky in a range: outside every summary, not pinned, and not a stub yet. */
export function* prune(db: ReadDb, job: PruneJob): Steps<PruneAnswer> {
  const count = counter(job.rates);
  const known = stubsOnPath(db, job.branch);
  const pinned = new Set(pinsOnPath(db, job.branch).map((pin) => pin.seq));
  const covered = shownOnPath(db, job.branch);
  const stubs: Stub[] = [];
  let tokensBefore = 0;
  let tokensAfter = 0;
  yield* readRange(new PathReader(db, job.branch), job, (message) => {
    const { seq } = message;
    const before = tokensOf(message, job.rates);
    if (before < BULKY_TOKENS || known.has(seq) || pinned.has(seq)) return;
    if (covered.some((row) => seq >= row.coversFrom && seq <= row.coversTo)) return;
    const text = message.typed === null ? stubOf(message, count) : stubOfFiles(message, before, count);
    if (text === null) return;
    stubs.push({ seq, text });
    tokensBefore += before;
    tokensAfter += count(text);
  });
  return { stubs, tokensBefore, tokensAfter };
}
