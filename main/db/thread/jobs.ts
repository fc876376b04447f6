/** What the data thread can be asked: long reads and pure work over them. Each job is a function of a read connection. */
import type { BranchId, SessionId } from '../../../shared/model/ids';
import type { SearchHit } from '../../../shared/model/session';
import type { ReadDb } from '../database';
import { exportMarkdown } from '../export-text';
import { openForReading } from '../open';
import { excerptOf } from '../search-excerpt';
import { searchMessages } from '../search-index';
import { chunks, chunkTextAt } from './chunk-jobs';
import { edit } from './edit-job';
import { importSlice } from './import-job';
import { orphans } from './orphans-job';
import { plan } from './plan-job';
import { prune } from './prune-job';
import type { Steps } from './read-range';
import { recall } from './recall-job';
import { spend } from './spend-job';
import { check, extract } from './summary-jobs';

export interface SearchJob {
  readonly query: string;
  readonly sessionId: SessionId | null;
  readonly limit: number;
}
function search(db: ReadDb, job: SearchJob): SearchHit[] {
  return searchMessages(db, job).map(({ text, ...hit }) => ({ ...hit, ...excerptOf(text, job.query) }));
}

function exportSession(db: ReadDb, job: { sessionId: SessionId; branch: BranchId }): string {
  return exportMarkdown(db, job.sessionId, job.branch);
}

/** On a connection of its own: FTS5 checks by what a connection remembers of the index, and finds damage after any write. */
function quickCheck(db: ReadDb, _job: Record<string, never>): string {
  const fresh = openForReading(db.name);
  try {
    return fresh.pragma('quick_check(1)', { simple: true }) as string;
  } finally {
    fresh.close();
  }
}

export const threadJobs = {
  plan,
  prune,
  chunks,
  chunkText: chunkTextAt,
  extract,
  check,
  edit,
  importSlice,
  search,
  recall,
  export: exportSession,
  orphans,
  spend,
  quickCheck,
};
export type ThreadJobs = typeof threadJobs;
export type ThreadJob = keyof ThreadJobs;
export type ThreadInput<J extends ThreadJob> = Parameters<ThreadJobs[J]>[1];
type Answer<T> = T extends Steps<infer R> ? R : T;
export type ThreadOutput<J extends ThreadJob> = Answer<ReturnType<ThreadJobs[J]>>;

/** Begins a job. One that reads much is done in steps; all others have ended when this returns. */
export function* jobSteps(db: ReadDb, job: ThreadJob, input: unknown): Steps<unknown> {
  const begun = (threadJobs[job] as (db: ReadDb, input: unknown) => unknown)(db, input);
  return isSteps(begun) ? yield* begun : begun;
}

function isSteps(value: unknown): value is Steps<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value;
}
