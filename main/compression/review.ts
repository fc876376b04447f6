/** The user's word on a summary that waits for it: accept, edit, reject. At most one waits in a session. */
import { AppError } from '../../shared/errors';
import type { AttemptOutcome } from '../../shared/model/compression';
import type { SessionId, SummaryId } from '../../shared/model/ids';
import { getSession } from '../db/sessions-table';
import { changeSummaryState, insertSummary, proposalOf, type StoredSummary } from '../db/summaries-table';
import type { DataThread } from '../db/thread/client';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import { modelOf } from '../providers/model-of';
import type { Models } from '../providers/registry-types';
import { DEFAULT_RATES } from '../providers/token-rates';
import type { Coordinator } from './coordinator';
import { BY_USER, editedOrThrow } from './edited';
import { byHand } from './service';

export interface ReviewEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly data: DataThread;
  readonly models: Models;
  readonly coordinator: Coordinator;
  /** What waits for a review changed. */
  changed(sessionId: SessionId): void;
}

export class Review {
  readonly #env: ReviewEnv;

  constructor(env: ReviewEnv) {
    this.#env = env;
  }

  /**
   * A short attempt of its own, with a lease and a fence like any other. Resolves when it has ended.
   * @throws AppError `already-ended`, `held-elsewhere`, `busy`, `summary-outdated`: the view is as it was then.
   */
  async accept(sessionId: SessionId, id: SummaryId): Promise<void> {
    const { seam, models, coordinator } = this.#env;
    const proposal = this.#waiting(sessionId, id);
    const branchId = proposal.receipt?.plannedOn?.branchId ?? proposal.branchId;
    const wish = byHand(seam.db, models, { sessionId, branchId });
    const started = await coordinator.start({ ...wish, trigger: 'accept', accepts: id });
    if (started.kind !== 'running') throw new AppError('busy'); // the app is about to end
    const outcome = await started.attempt.outcome;
    this.#env.changed(sessionId);
    const refused = refusalOf(outcome);
    if (refused) throw refused;
  }

  /** It is never used. What it was made from stays as it is. */
  async reject(sessionId: SessionId, id: SummaryId): Promise<void> {
    const { seam, clock } = this.#env;
    this.#waiting(sessionId, id);
    const change = { from: 'proposed', to: 'rejected', now: clock.wall() } as const;
    const done = await seam.write(sessionId, (tx) => changeSummaryState(tx, id, change), { durable: true });
    if (!done) throw new AppError('already-ended');
    this.#env.changed(sessionId);
  }

  /**
   * The user's text waits in the place of the proposed one, which is rejected by that.
   * @throws AppError `summary-empty`, `summary-too-large`, `already-ended`: nothing was written then.
   */
  async edit(sessionId: SessionId, id: SummaryId, typed: string): Promise<SummaryId> {
    const { seam, clock, data, models } = this.#env;
    const old = this.#waiting(sessionId, id);
    const rates = modelOf(models, getSession(seam.db, sessionId))?.rates ?? DEFAULT_RATES;
    const text = editedOrThrow(await data.ask('edit', { summary: id, text: typed, rates }));
    const now = clock.wall();
    const edited = await seam.write(
      sessionId,
      (tx) => {
        if (!changeSummaryState(tx, id, { from: 'proposed', to: 'rejected', now })) throw new AppError('already-ended');
        // it stands on what the proposal stood on: that one was never used
        return insertSummary(tx, { ...old, ...text, ...BY_USER, state: 'proposed', now });
      },
      { durable: true },
    );
    this.#env.changed(sessionId);
    return edited;
  }

  /** @throws AppError `already-ended`: it does not wait any more. */
  #waiting(sessionId: SessionId, id: SummaryId): StoredSummary {
    const proposal = proposalOf(this.#env.seam.db, sessionId);
    if (proposal?.id !== id) throw new AppError('already-ended');
    return proposal;
  }
}

/** What keeps an accepted proposal from being used, as the one who clicked is told; null = it is used. */
function refusalOf(outcome: AttemptOutcome): AppError | null {
  switch (outcome.kind) {
    case 'committed':
    case 'proposed':
      return null;
    case 'deferred':
      return new AppError(outcome.why.kind === 'lease-held' ? 'held-elsewhere' : 'busy');
    case 'superseded':
      return new AppError('summary-outdated');
    case 'failed':
      return new AppError(outcome.failure === 'lease-lost' ? 'held-elsewhere' : 'busy');
    case 'nothing-to-do':
    case 'cancelled':
      return new AppError('already-ended');
  }
}
