/** Verbs of the user on attempts: start, cancel, skip the model, clear a backoff. */
import { AppError } from '../../shared/errors';
import { type RangePreview, type Strategy, strategies } from '../../shared/model/compression';
import type { AttemptId, BranchId, SessionId } from '../../shared/model/ids';
import type { AttemptRecord } from '../../shared/model/session';
import { attemptsOf, getAttempt } from '../db/attempts-table';
import { clearBackoffs } from '../db/backoffs-table';
import type { ReadDb } from '../db/database';
import { readLease } from '../db/leases-table';
import { getSession } from '../db/sessions-table';
import { getSummary } from '../db/summaries-table';
import { getText } from '../db/texts-table';
import type { DataThread } from '../db/thread/client';
import type { WriteSeam } from '../db/write-seam';
import { countChars } from '../lib/char-counts';
import { modelOf } from '../providers/model-of';
import type { Models } from '../providers/registry-types';
import { tokensOf } from '../providers/token-estimate';
import { marksFor } from '../turns/measure';
import type { Coordinator } from './coordinator';
import type { Range } from './plan';
import { marksOf, summaryBudget } from './policy';
import type { Wish } from './wish';

export interface StartByHand {
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly strategies: readonly Strategy[];
  /** First and last message to cover; null = as much as the rules say. */
  readonly range: Range | null;
}

export interface CompressionEnv {
  readonly seam: WriteSeam;
  readonly models: Models;
  readonly data: DataThread;
  readonly coordinator: Coordinator;
  notices(sessionId: SessionId): void;
  /** The user asked for a compression by hand: what waits for an older wish is not wanted any more. */
  wished(sessionId: SessionId): void;
}

/** Attempts that the context panel lists. */
const LISTED = 50;
/** What a short text usually comes to as a summary: for telling beforehand only. */
const USUAL_SHARE = 0.4;
/** Window assumed for a compression by hand where the server does not tell its own. */
const UNKNOWN_WINDOW = 8_192;

/**
 * What every wish by hand has in common.
 * @throws AppError `not-found`, `no-model`.
 */
export function byHand(db: ReadDb, models: Models, at: { sessionId: SessionId; branchId: BranchId }): Wish {
  const { sessionId, branchId } = at;
  const session = getSession(db, sessionId);
  if (!session) throw new AppError('not-found', { what: 'session' });
  const model = modelOf(models, session);
  if (!model) throw new AppError('no-model');
  const marks = marksFor(db, sessionId, model) ?? marksOf(UNKNOWN_WINDOW, model.outputCap, 0);
  const system = session.promptHash && getText(db, session.promptHash);
  const fixedTokens = system ? tokensOf(countChars(system), model.rates) : 0;
  const common = { sessionId, branchId, model, marks, need: 'manual', trigger: 'button', turnId: null } as const;
  return { ...common, chosen: null, range: null, accepts: null, bulkyResults: true, fixedTokens, bypass: false };
}

export class Compression {
  readonly #env: CompressionEnv;
  /** The last wish by hand of each session, with the attempt that it became. */
  readonly #asked = new Map<SessionId, { readonly id: AttemptId; readonly start: StartByHand }>();

  constructor(env: CompressionEnv) {
    this.#env = env;
  }

  /** By the user's button. Resolves once the attempt runs; its outcome is the card's to tell. */
  async start(start: StartByHand): Promise<void> {
    const { seam, models, coordinator } = this.#env;
    const { sessionId, strategies: chosen, range } = start;
    const wish = byHand(seam.db, models, start);
    this.#env.wished(sessionId);
    await seam.write(sessionId, (tx) => clearBackoffs(tx, sessionId)); // a try by hand runs and clears it
    const started = await coordinator.start({
      ...wish,
      trigger: range ? 'range' : 'button',
      chosen,
      range,
    });
    this.#env.notices(sessionId);
    if (started.kind !== 'running') throw new AppError('nothing-to-compress');
    this.#asked.set(sessionId, { id: started.attempt.spec.id, start });
  }

  /**
   * What the user asked for by that attempt. Of another window's, and of one from before this start, only the path is
   * known: then it is all strategies on that.
   * @throws AppError `not-found`, `range-unknown`.
   */
  wishOf(sessionId: SessionId, id: AttemptId): StartByHand {
    const asked = this.#asked.get(sessionId);
    if (asked?.id === id) return asked.start;
    const attempt = getAttempt(this.#env.seam.db, id);
    if (attempt?.sessionId !== sessionId) throw new AppError('not-found', { what: 'compression' });
    // to compress all of a chat for somebody who chose a part of it would be something else
    if (attempt.trigger === 'range' && attempt.outcome !== null) throw new AppError('range-unknown');
    return { sessionId, branchId: attempt.branchId, strategies, range: null };
  }

  /** What compressing that range would cover and gain. */
  async previewRange(at: { sessionId: SessionId; branchId: BranchId; range: Range }): Promise<RangePreview> {
    const { seam, models, data } = this.#env;
    const { marks, model } = byHand(seam.db, models, at);
    const { plan, tokensShown } = await data.ask('plan', {
      ...{ sessionId: at.sessionId, branch: at.branchId, chosen: at.range, rates: model.rates },
      usable: marks.usable,
      target: marks.target,
      keepTurns: 0,
      readsAgain: true,
    });
    if (plan.kind === 'nothing') return plan;
    const tokensAfter = Math.min(summaryBudget(marks.usable), Math.ceil(tokensShown * USUAL_SHARE));
    return { kind: 'range', from: plan.from, to: plan.cutoff, tokensNow: tokensShown, tokensAfter };
  }

  cancel(sessionId: SessionId, id: AttemptId): void {
    if (!this.#env.coordinator.cancel(sessionId, id, 'user')) throw new AppError('already-ended');
  }
  skipModel(sessionId: SessionId, id: AttemptId): void {
    if (!this.#env.coordinator.skipModel(sessionId, id)) throw new AppError('already-ended');
  }

  async clearBackoff(sessionId: SessionId): Promise<void> {
    await this.#env.seam.write(sessionId, (tx) => clearBackoffs(tx, sessionId));
    this.#env.notices(sessionId);
  }

  attempts(sessionId: SessionId): AttemptRecord[] {
    const { db } = this.#env.seam;
    const epoch = readLease(db, { session: sessionId, kind: 'compression' })?.epoch ?? 0;
    return attemptsOf(db, sessionId, LISTED).map((row) => {
      // one whose lease was taken over runs no more, though its window may stand still and not say so
      const passed = row.outcome === null && row.epoch !== null && row.epoch < epoch;
      const end = passed ? ({ kind: 'failed', failure: 'lease-lost' } as const) : row.outcome;
      const summary = end?.kind === 'committed' || end?.kind === 'proposed' ? getSummary(db, end.summaryId) : null;
      const { id, trigger, strategy, startedAt, endedAt } = row;
      const tokens = { tokensBefore: summary?.tokensBefore ?? null, tokensAfter: summary?.tokensAfter ?? null };
      return { id, trigger, strategy, outcome: end, startedAt, endedAt, ...tokens };
    });
  }
}
