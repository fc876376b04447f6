/**
 * Starts, joins, supersedes and ends attempts: at most one a session in this instance (holds I3, I10; P12, P21).
 * A wish that is skipped or deferred supersedes nothing.
 */
import type { AttemptOutcome, Need, Strategy } from '../../shared/model/compression';
import type { AttemptId, BranchId, InstanceId, ModelRef, SessionId } from '../../shared/model/ids';
import { endAttempt, insertAttempt } from '../db/attempts-table';
import { type BackoffStrategy, getBackoff, restartBackoffs, type StoredBackoff } from '../db/backoffs-table';
import { sameUpTo } from '../db/branches-table';
import { getSession } from '../db/sessions-table';
import { proposalOf } from '../db/summaries-table';
import type { DataThread } from '../db/thread/client';
import type { WriteSeam } from '../db/write-seam';
import { type AttemptSlot, isRefusal, type StreamOpener } from '../hosts/stream-handle';
import type { Clock } from '../lib/clock';
import type { ModelFacts } from '../providers/registry-types';
import { AttemptRun } from './attempt';
import { isPaused, remainingMs } from './backoff';
import { ChatFirst } from './chat-first';
import type { HeldLease, Leases } from './lease';
import { SLOT_WAIT_MS, type StrategyRow, strategyRow } from './policy';
import type { Wish } from './wish';
import { type Writers, whyNot } from './writers';

/** Why a wish started nothing. */
export type Skip =
  | { readonly kind: 'skipped'; readonly why: 'no-strategy' | 'quitting' | 'by-hand' | 'review' }
  /** `until` in wall-clock milliseconds, `forMs` from now. */
  | { readonly kind: 'paused'; readonly until: number; readonly forMs: number };
export type Started = { readonly kind: 'running'; readonly attempt: AttemptRun; readonly joined: boolean } | Skip;

export interface CoordinatorEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly data: DataThread;
  readonly leases: Leases;
  readonly streams: StreamOpener;
  readonly me: InstanceId;
  extractAllowed(): boolean;
  /** A model that a turn wanted is wanted no more. */
  modelFree(): void;
  /** Who may write the summary of a chat with this model. */
  writers(own: ModelFacts): Writers;
  /** The card changed, or ended. */
  changed(attempt: AttemptRun): void;
  /** An outcome is stored: what it changed is to be published. */
  ended(attempt: AttemptRun, outcome: AttemptOutcome): void;
  log(line: string): void;
}

export class Coordinator {
  readonly #env: CoordinatorEnv;
  readonly #running = new Map<SessionId, AttemptRun>();
  /** Ended attempts whose worker is not proved stopped: they keep their lease. */
  readonly #unproved = new Map<SessionId, AttemptRun>();
  readonly #starting = new Map<SessionId, Promise<void>>();
  readonly #barred = new Map<string, AttemptRun>();
  /** Attempts stand back where a chat request wants their model. */
  readonly chatFirst: ChatFirst;
  #quitting = false;

  constructor(env: CoordinatorEnv) {
    this.#env = env;
    this.chatFirst = new ChatFirst({
      running: () => this.all(),
      again: (wish) => {
        this.start(wish).catch((error: unknown) => env.log(`not wished for again: ${String(error)}`));
      },
      free: () => env.modelFree(),
    });
  }

  running(sessionId: SessionId): AttemptRun | null {
    return this.#running.get(sessionId) ?? null;
  }
  /** True while a worker of this session is not proved stopped, and an attempt for a turn could do nothing beside it. */
  awaitsProof(sessionId: SessionId): boolean {
    const attempt = this.#unproved.get(sessionId);
    return attempt !== undefined && !(attempt.keepsLease && this.#env.extractAllowed());
  }
  all(): AttemptRun[] {
    return [...this.#running.values()];
  }
  /** Milliseconds that `summarize` pauses in this session; 0 = it does not, or not by time. */
  pausedForMs(sessionId: SessionId): number {
    const backoff = this.#backoff(sessionId, 'summarize');
    return backoff ? remainingMs(backoff, this.#env.clock.wall()) : 0;
  }

  /** Starts an attempt for this wish, or joins the one that covers it. Wishes of one session are heard in turn. */
  start(wish: Wish): Promise<Started> {
    const before = this.#starting.get(wish.sessionId) ?? Promise.resolve();
    const started = before.then(() => this.#start(wish));
    this.#starting.set(
      wish.sessionId,
      started.then(
        () => {},
        () => {},
      ),
    );
    return started;
  }

  async #start(wish: Wish): Promise<Started> {
    if (this.#quitting) return { kind: 'skipped', why: 'quitting' };
    const row = wish.accepts === null ? this.#row(wish) : { strategies: [], noModel: null };
    const current = this.#running.get(wish.sessionId);
    if (current && this.#covers(current, wish, row.strategies)) {
      this.#join(current, wish, row.strategies);
      return { kind: 'running', attempt: current, joined: true };
    }
    if (row.strategies.length === 0 && wish.accepts === null) {
      const forMs = row.noModel === 'in-backoff' ? this.pausedForMs(wish.sessionId) : 0;
      return forMs > 0
        ? { kind: 'paused', until: this.#env.clock.wall() + forMs, forMs }
        : { kind: 'skipped', why: 'no-strategy' };
    }
    const mayWait = wish.need === 'ahead' || wish.need === 'pressure';
    if (mayWait && proposalOf(this.#env.seam.db, wish.sessionId)) return { kind: 'skipped', why: 'review' };
    // a request that fits goes out, rather than end what a person asked for
    if (current?.need === 'manual' && mayWait) return { kind: 'skipped', why: 'by-hand' };
    if (current) {
      current.dispatch({ in: 'supersede', by: 'newer' });
      await current.joined;
    }
    return this.#begin(wish, row.strategies, row.noModel);
  }

  async #begin(wish: Wish, row: readonly Strategy[], noModel: AttemptRun['spec']['noModel']): Promise<Started> {
    const { seam, clock, me } = this.#env;
    const session = getSession(seam.db, wish.sessionId);
    const { sessionId, branchId, turnId, need, trigger } = wish;
    const columns = { sessionId, branchId, turnId, need, trigger, instanceId: me, now: clock.wall() };
    const id: AttemptId = await seam.write(sessionId, (tx) => insertAttempt(tx, columns));
    if (this.#quitting) return this.#endUnstarted(sessionId, id);
    const writers = this.#writers(wish.model);
    const place = row.includes('summarize') ? this.#reserve(writers.first) : null;
    const slot = place === 'taken' ? null : place;
    const waits = place === 'taken';
    const spec = { ...wish, id, row, noModel, writers, keepTurns: session?.keepTurns ?? 2 };
    const attempt = new AttemptRun(
      {
        ...this.#env,
        kept: (session) => this.#kept(session),
        ended: (ended) => this.#ended(ended),
        reserve: (model) => {
          const slot = this.#reserve(model);
          return slot === 'taken' ? null : slot;
        },
        standsBack: (asking) => this.chatFirst.look(asking),
        letChatEnd: (model, fn) => this.chatFirst.letChatEnd(model, fn),
        writtenOff: (lost) => this.#barred.set(nameOf(lost.model.ref), lost),
      },
      spec,
      slot,
      waits,
    );
    this.#running.set(sessionId, attempt);
    this.chatFirst.forget(sessionId);
    if (waits) this.#waitForSlot(attempt);
    attempt.start();
    attempt.progress.touch();
    return { kind: 'running', attempt, joined: false };
  }

  /** The app began to quit while the row was written: it ends before it began. */
  async #endUnstarted(sessionId: SessionId, id: AttemptId): Promise<Skip> {
    const end = { now: this.#env.clock.wall(), error: null, strategy: null };
    await this.#env.seam.persist(sessionId, (tx) => endAttempt(tx, id, { kind: 'cancelled', by: 'quit' }, end));
    return { kind: 'skipped', why: 'quitting' };
  }

  /** `taken` = all summarizers work. */
  #reserve(model: ModelFacts): AttemptSlot | 'taken' {
    const slot = this.#env.streams.reserve(model.target);
    return isRefusal(slot) ? 'taken' : slot;
  }

  /** A turn waits two seconds for a summarizer; a person waits as long as it takes, and the card says for what. */
  #waitForSlot(attempt: AttemptRun): void {
    const stop = this.#env.streams.onSlotFree(() => {
      if (attempt.state.phase.at !== 'waiting') return stop();
      const slot = this.#reserve(attempt.model);
      if (slot === 'taken') return;
      stop();
      attempt.slotFree(slot);
    });
    this.#endWait(attempt);
  }

  /**
   * Calls back once, when an attempt on a chat with this model may find a place: at once, in a later step, where there
   * is one already. Answers the way to stop waiting.
   */
  whenPlace(own: ModelFacts, fn: () => void): () => void {
    const { streams, clock } = this.#env;
    const { target } = this.#writers(own).first;
    const look = () => {
      if (!waits || !streams.hasPlace(target)) return;
      end();
      fn();
    };
    let waits = true;
    const stop = streams.onSlotFree(look);
    const end = () => {
      waits = false;
      stop();
    };
    clock.nextTurn(look); // it may have come free before anybody waited for it
    return end;
  }

  #endWait(attempt: AttemptRun): void {
    if (attempt.need === 'manual') return;
    this.#env.clock.after(attempt.need === 'ahead' ? 0 : SLOT_WAIT_MS, () =>
      attempt.dispatch({ in: 'slot-wait-over', must: attempt.need === 'must' }),
    );
  }

  /** The user's stop, or the stop of what unwinds. False = there is nothing of that name to stop. */
  cancel(sessionId: SessionId, id: AttemptId | null, by: 'user' | 'unwind'): boolean {
    const attempt = this.#running.get(sessionId);
    if (!attempt) return this.chatFirst.forget(sessionId);
    if (id !== null && attempt.spec.id !== id) return false;
    attempt.cancel(by);
    return true;
  }

  skipModel(sessionId: SessionId, id: AttemptId): boolean {
    const attempt = this.#running.get(sessionId);
    if (attempt?.spec.id !== id) return false;
    const { phase, row } = attempt.state;
    const asked = phase.at === 'summarizing' || phase.at === 'switching';
    // what was not asked yet is not asked; where it waited for a place it waits no more
    const before = row.filter((one) => one === 'prune');
    attempt.dispatch({ in: 'row', row: asked ? ['summarize', 'extract'] : [...before, 'extract'] });
    attempt.dispatch(asked ? { in: 'skip-model' } : { in: 'slot-wait-over', must: true });
    return true;
  }

  /** The user changed summaries: an attempt that stands on one of them ends now, rather than be refused at its commit. */
  groundChanged(sessionId: SessionId, by: 'undo' | 'edit'): void {
    const attempt = this.#running.get(sessionId);
    if (attempt && !attempt.candidate.groundHolds()) attempt.dispatch({ in: 'supersede', by });
  }

  /** The user went on from an earlier message: an attempt ends whose summary would not show there. */
  forked(sessionId: SessionId, branchId: BranchId): void {
    const attempt = this.#running.get(sessionId);
    if (attempt && attempt.candidate.cutoff !== null && !this.#serves(attempt, branchId))
      attempt.dispatch({ in: 'supersede', by: 'fork' });
  }

  /** After sleep: patience starts anew and leases are looked at. */
  slept(): void {
    this.#env.leases.restartObservations();
    for (const attempt of this.#running.values()) attempt.slept();
  }

  /** Cancels all and waits for their ends, each at most the quit's grace. Nothing starts afterwards. */
  async quit(): Promise<void> {
    this.#quitting = true;
    const all = [...this.#running.values()];
    for (const attempt of all) attempt.cancel('quit');
    await Promise.all(all.map((attempt) => attempt.joined));
  }

  /** A second model whose process would not end is not asked again before its end is seen. */
  #writers(own: ModelFacts): Writers {
    const writers = this.#env.writers(own);
    const barred = writers.second !== null && this.#barred.has(nameOf(writers.second.ref));
    return barred ? { ...writers, second: null } : writers;
  }

  #row(wish: Wish): StrategyRow {
    const row = this.#allowedRow(wish);
    // who chose a range wants a summary of it, not lines in the place of its bulk
    const chosen = wish.range === null ? row.strategies : row.strategies.filter((one) => one !== 'prune');
    // a model whose process would not end is not used again before its end is seen
    if (!this.#barred.has(nameOf(this.#env.writers(wish.model).first.ref))) return { ...row, strategies: chosen };
    return { ...row, strategies: chosen.filter((one) => one !== 'summarize') };
  }

  #allowedRow(wish: Wish): StrategyRow {
    const session = getSession(this.#env.seam.db, wish.sessionId);
    const now = this.#env.clock.wall();
    const backoff = (strategy: BackoffStrategy) => this.#backoff(wish.sessionId, strategy);
    const paused = (strategy: BackoffStrategy) => isPaused(backoff(strategy), now, session?.chars ?? 0);
    const extractAllowed = this.#env.extractAllowed();
    const summarize = backoff('summarize');
    // with nothing else left, whether there is something to gain is looked at anew: no time would end that pause
    const looksAnew = wish.need === 'must' && !extractAllowed && summarize?.kind === 'nothing-to-gain';
    const bypassed = looksAnew || (wish.bypass && summarize?.bypassed === false);
    return strategyRow({
      need: wish.need,
      chosen: wish.chosen,
      whyNot: whyNot(this.#env.writers(wish.model).first),
      summarizePaused: paused('summarize') && !bypassed,
      prunePaused: paused('prune'),
      reviewed: session?.review === true,
      bulkyResults: wish.bulkyResults,
      extractAllowed,
    });
  }

  /** One that was set in what is now the future, before the wall clock went back, is stored anew: it must not last till then. */
  #backoff(sessionId: SessionId, strategy: BackoffStrategy): StoredBackoff | null {
    const { seam, clock } = this.#env;
    const now = clock.wall();
    const backoff = getBackoff(seam.db, sessionId, strategy);
    // where it cannot be stored now the next wish does
    if (backoff && backoff.setAt > now)
      seam.write(sessionId, (tx) => restartBackoffs(tx, sessionId, now)).catch(() => {});
    return backoff;
  }

  /** A running attempt covers a wish on a path that it serves, with its model, whose strategies are no wider. */
  #covers(current: AttemptRun, wish: Wish, row: readonly Strategy[]): boolean {
    if (wish.need === 'manual') return false; // "Try now" supersedes
    if (current.spec.accepts !== null) return current.spec.branchId === wish.branchId;
    // what a person chose may leave out what the wish needs
    if (current.spec.range) return false;
    if (current.need === 'manual' && !row.every((one) => current.spec.row.includes(one))) return false;
    return this.#serves(current, wish.branchId) && nameOf(current.spec.model.ref) === nameOf(wish.model.ref);
  }

  /** What it covers lies before that path and its own part: its summary shows on both. */
  #serves({ spec, candidate: { cutoff } }: AttemptRun, branchId: BranchId): boolean {
    if (cutoff === null) return spec.branchId === branchId; // not planned yet
    return sameUpTo(this.#env.seam.db, spec.branchId, branchId, cutoff);
  }

  #join(current: AttemptRun, wish: Wish, row: readonly Strategy[]): void {
    if (rank(wish.need) > rank(current.need)) {
      current.need = wish.need;
      current.dispatch({ in: 'row', row });
    }
    current.turnId ??= wish.turnId;
    this.chatFirst.look(current);
    // a request that fits goes out without it
    if (wish.turnId !== null && wish.need === 'must')
      this.#env.clock.after(SLOT_WAIT_MS, () => current.dispatch({ in: 'slot-wait-over', must: true }));
    current.progress.touch();
  }

  #kept(sessionId: SessionId): { lease: HeldLease; proof: Promise<void> } | null {
    const attempt = this.#unproved.get(sessionId);
    const lease = attempt?.giveUpLease();
    return attempt && lease ? { lease, proof: attempt.proved } : null;
  }

  #ended(attempt: AttemptRun): void {
    const { sessionId } = attempt.spec;
    const { phase, proof } = attempt.state;
    if (this.#running.get(sessionId) === attempt) this.#running.delete(sessionId);
    if (proof !== 'none') {
      this.#unproved.set(sessionId, attempt);
      void attempt.proved.then(() => {
        if (this.#unproved.get(sessionId) === attempt) this.#unproved.delete(sessionId);
        for (const [model, lost] of this.#barred) if (lost === attempt) this.#barred.delete(model);
      });
    }
    attempt.progress.flush();
    if (phase.at === 'ended') this.#env.ended(attempt, phase.outcome);
  }
}

const nameOf = (ref: ModelRef) => `${ref.providerId} ${ref.model}`;
const rank = (need: Need): number => ['ahead', 'pressure', 'must', 'manual'].indexOf(need);
