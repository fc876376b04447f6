import type { BranchId } from '../../../shared/model/ids';
import type { RecalledPassage } from '../../../shared/model/message';
import { rankPassages } from '../../compression/recall';
import { recallTerms } from '../../compression/recall-terms';
import type { TokenRates } from '../../providers/registry-types';
import type { ReadDb } from '../database';
import { indexedMessages, recallCandidates, termCounts } from '../recall-search';
import { counter } from './counter';

export interface RecallJob {
  readonly branch: BranchId;
  /** Covered ranges of the path. */
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
  readonly question: string;
  /** Tokens of all passages together. */
  readonly budget: number;
  readonly rates: TokenRates;
  /** True where nobody asked for passages: only what clearly answers is taken. */
  readonly strict: boolean;
}

/** The passages of covered messages that bear on a question, in the order of the conversation. */
export function recall(db: ReadDb, job: RecallJob): RecalledPassage[] {
  const terms = recallTerms(job.question);
  const counts = termCounts(db, terms);
  const sources = recallCandidates(db, job.branch, job.ranges, terms, counts);
  const { budget, strict } = job;
  return rankPassages(sources, { terms, counts, of: indexedMessages(db), budget, strict, count: counter(job.rates) });
}
