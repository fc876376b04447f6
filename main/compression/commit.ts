/**
 * The commit transaction (holds I2, I3, I11; P33, P34): the epoch is checked where the data is. Runs inside the fence.
 * A check that fails is a value, and nothing was written.
 */
import type {
  AttemptOutcome,
  Need,
  PlannedOn,
  Receipt,
  Strategy,
  SummarySection,
} from '../../shared/model/compression';
import type { AttemptId, BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { endAttempt } from '../db/attempts-table';
import { clearBackoff } from '../db/backoffs-table';
import { ownerOf, pathOf } from '../db/branches-table';
import type { ReadDb, WriteTx } from '../db/database';
import { holdsLease } from '../db/leases-table';
import { binnedBetween } from '../db/messages-table';
import { getSession } from '../db/sessions-table';
import { activeRanges, getSummary, insertSummary, retireProposal, type Stub } from '../db/summaries-table';
import type { BaseChange } from './attempt-state';
import { tripBreaker } from './breaker-store';
import type { HeldLease } from './lease';
import { shownIn, shownSummaries } from './view';

/** An accepted candidate, ready to be stored. */
export interface Accepted {
  readonly strategy: Strategy;
  readonly model: string | null;
  readonly text: string;
  readonly sections: readonly SummarySection[];
  /** Of `prune`: its text and sections are empty, and its receipt has no anchors. */
  readonly stubs: readonly Stub[] | null;
  readonly receipt: Receipt | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** What the attempt saw when it planned, and must find unchanged. */
export interface Snapshot {
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly from: number;
  readonly cutoff: number;
  /** The summary that the view showed for `from`: the parent of the new one. */
  readonly base: SummaryId | null;
  /** All that the view showed in the range. */
  readonly shown: readonly SummaryId[];
  /** Messages of the range that were in the bin already. */
  readonly binned: number;
  /** Tokens that the view showed for the range, and in all. */
  readonly tokensShown: number;
  readonly tokensInView: number;
}

export type Committed =
  /** Stored, as what the view uses or as a proposal. */
  | { readonly kind: 'committed'; readonly outcome: Extract<AttemptOutcome, { kind: 'committed' | 'proposed' }> }
  | Refusal;
export type Refusal = { readonly kind: 'lease-passed' } | { readonly kind: 'base-changed'; readonly by: BaseChange };

export interface Commit {
  readonly attemptId: AttemptId;
  readonly lease: HeldLease;
  readonly snapshot: Snapshot;
  readonly accepted: Accepted;
  readonly need: Need;
  /** False while a stream of the attempt is not proved stopped: the lease is kept then. */
  readonly release: boolean;
  readonly now: number;
  /** Stores how far the attempt got. */
  progress(tx: WriteTx): void;
}

/** Why the transaction may not write; null = it may. The same for a new summary and for an accepted proposal. */
export function refusalOf(tx: WriteTx, commit: Pick<Commit, 'lease' | 'snapshot' | 'now'>): Refusal | null {
  const { snapshot, lease } = commit;
  // renewals may have been missed for longer than the TTL: if nobody took it over, it is still mine
  if (!holdsLease(tx, lease.holding)) return { kind: 'lease-passed' };
  if (binnedBetween(tx, snapshot.branchId, snapshot.from, snapshot.cutoff) !== snapshot.binned)
    return { kind: 'base-changed', by: 'bin' };
  const shown = shownIn(shownSummaries(activeRanges(tx, snapshot.branchId)), snapshot.from, snapshot.cutoff);
  if (!sameIds(shown, snapshot.shown)) return { kind: 'base-changed', by: changeOf(tx, shown, snapshot.shown) };
  return null;
}

export function commitSummary(tx: WriteTx, commit: Commit): Committed {
  const { snapshot, accepted, lease } = commit;
  const refusal = refusalOf(tx, commit);
  if (refusal) return refusal;
  const { stubs } = accepted;
  // a review that was asked for meanwhile is of summaries: lines in the place of messages are nothing to read
  const review = stubs === null && (getSession(tx, snapshot.sessionId)?.review ?? false);
  // a newer one takes its place, and a request that does not fit goes on without it: now that this one is there
  if (review || commit.need === 'must') retireProposal(tx, snapshot.sessionId, commit.now);
  const coversTo = stubs?.at(-1)?.seq ?? snapshot.cutoff;
  const summaryId = insertSummary(tx, {
    sessionId: snapshot.sessionId,
    branchId: ownerOf(pathOf(tx, snapshot.branchId), coversTo),
    coversFrom: stubs?.[0]?.seq ?? snapshot.from,
    coversTo,
    parentId: stubs ? null : snapshot.base,
    attemptId: commit.attemptId,
    epoch: lease.holding.epoch,
    kind: stubs ? 'stubs' : 'text',
    stubs,
    state: review ? 'proposed' : 'active',
    author: accepted.strategy === 'summarize' ? 'model' : 'extract',
    strategy: accepted.strategy,
    model: accepted.model,
    text: accepted.text,
    sections: accepted.sections,
    receipt: review && accepted.receipt ? { ...accepted.receipt, plannedOn: plannedOn(snapshot) } : accepted.receipt,
    tokensBefore: accepted.tokensBefore,
    tokensAfter: accepted.tokensAfter,
    now: commit.now,
  });
  if (!review && accepted.strategy !== 'extract')
    clearBackoff(tx, snapshot.sessionId, accepted.strategy, commit.attemptId);
  commit.progress(tx);
  const outcome = { kind: review ? 'proposed' : 'committed', summaryId } as const;
  endAttempt(tx, commit.attemptId, outcome, { now: commit.now, error: null, strategy: accepted.strategy });
  if (!review) tripBreaker(tx, snapshot.sessionId);
  if (commit.release) lease.releaseIn(tx);
  return { kind: 'committed', outcome };
}

/** Kept with a proposal, so that accepting it can look at the same things as this commit did. */
function plannedOn({ branchId, shown, binned, tokensShown, tokensInView }: Snapshot): PlannedOn {
  return { branchId, shown, binned, tokensShown, tokensInView };
}

type Rows = readonly { readonly id: SummaryId }[];

/** Whether the view still shows in the range what it showed at the planning. */
export function sameGround(db: ReadDb, planned: Pick<Snapshot, 'branchId' | 'from' | 'cutoff' | 'shown'>): boolean {
  const shown = shownIn(shownSummaries(activeRanges(db, planned.branchId)), planned.from, planned.cutoff);
  return sameIds(shown, planned.shown);
}

const sameIds = (rows: Rows, ids: readonly SummaryId[]) =>
  rows.length === ids.length && rows.every((row, at) => row.id === ids[at]);

/** Why the view shows something else than at the planning: a text by the user, a newer summary, or an undo. */
function changeOf(tx: WriteTx, shown: Rows, planned: readonly SummaryId[]): BaseChange {
  const fresh = shown.filter(({ id }) => id > Math.max(0, ...planned));
  if (fresh.length === 0) return 'undo';
  return fresh.some(({ id }) => getSummary(tx, id)?.author === 'user') ? 'edit' : 'newer';
}
