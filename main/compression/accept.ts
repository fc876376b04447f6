/**
 * The commit of an accepted proposal (holds I2, I3 like any commit): the same lease, the same look at what it was built
 * on, and one transaction that makes the view use it.
 */
import type { AttemptId, SummaryId } from '../../shared/model/ids';
import { endAttempt } from '../db/attempts-table';
import { clearBackoff } from '../db/backoffs-table';
import type { WriteTx } from '../db/database';
import { changeSummaryState, getSummary, type StoredSummary } from '../db/summaries-table';
import { type Accepted, type Committed, refusalOf } from './commit';
import type { HeldLease } from './lease';

export interface Accept {
  readonly attemptId: AttemptId;
  readonly lease: HeldLease;
  readonly proposal: SummaryId;
  /** False while a stream of an earlier attempt is not proved stopped: the lease is kept then. */
  readonly release: boolean;
  readonly now: number;
  /** Stores how far the attempt got. */
  progress(tx: WriteTx): void;
}

export function acceptProposal(tx: WriteTx, accept: Accept): Committed {
  const { attemptId, lease, now } = accept;
  const row = getSummary(tx, accept.proposal);
  const planned = row?.receipt?.plannedOn;
  // rejected, edited or accepted in another window meanwhile
  if (!row || !planned || row.state !== 'proposed') return { kind: 'base-changed', by: 'newer' };
  const snapshot = {
    ...planned,
    sessionId: row.sessionId,
    from: row.coversFrom,
    cutoff: row.coversTo,
    base: row.parentId,
  };
  const refusal = refusalOf(tx, { lease, snapshot, now });
  if (refusal) return refusal;
  changeSummaryState(tx, row.id, { from: 'proposed', to: 'active', now });
  // by the attempt that wrote it: what a model has failed at since, an old text does not make good
  if (row.attemptId !== null && row.strategy === 'summarize')
    clearBackoff(tx, row.sessionId, 'summarize', row.attemptId);
  accept.progress(tx);
  const outcome = { kind: 'committed', summaryId: row.id } as const;
  endAttempt(tx, attemptId, outcome, { now, error: null, strategy: null });
  if (accept.release) lease.releaseIn(tx);
  return { kind: 'committed', outcome };
}

/** The proposal as the candidate of the attempt that saves it. null = it is gone. */
export function acceptedProposal(row: StoredSummary | null): Accepted | null {
  if (!row?.receipt) return null;
  const { model, text, sections, receipt, tokensBefore, tokensAfter } = row;
  return {
    strategy: row.strategy ?? 'extract',
    model,
    text,
    sections,
    stubs: null,
    receipt,
    tokensBefore,
    tokensAfter,
  };
}
