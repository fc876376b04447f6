/**
 * Runs one attempt: keeps its machine, its one fence, its lease and its place, and does what the machine says.
 * Inputs that arrive while effects run are taken afterwards, so that no cancel lands between two of them (P8).
 */
import { assertNever } from '../../shared/exhaustive';
import type {
  AttemptOutcome,
  Attempt as AttemptView,
  Need,
  NoModelReason,
  Strategy,
} from '../../shared/model/compression';
import type { AttemptId, SessionId, TurnId } from '../../shared/model/ids';
import { endAttempt, progressAttempt } from '../db/attempts-table';
import { spendBypass } from '../db/backoffs-table';
import type { WriteTx } from '../db/database';
import { changeSummaryState } from '../db/summaries-table';
import type { DataThread } from '../db/thread/client';
import type { WriteSeam } from '../db/write-seam';
import type { AttemptSlot } from '../hosts/stream-handle';
import type { Clock } from '../lib/clock';
import type { ModelFacts } from '../providers/registry-types';
import { Acquirer } from './acquire';
import { AttemptProgress } from './attempt-progress';
import type { Effect, Input, Step } from './attempt-state';
import { armBackoff, awaitGrowth } from './backoff-store';
import { Candidate, type CandidateEnv } from './candidate';
import { ChatWait, type ChatWaitEnv } from './chat-wait';
import { CommitFence } from './commit-fence';
import type { HeldLease, Leases } from './lease';
import { begin, step } from './machine';
import type { StopProof } from './stop-proof';
import type { Wish } from './wish';
import type { Writers } from './writers';

export interface AttemptEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly data: DataThread;
  readonly leases: Leases;
  /** The lease that an ended attempt of this instance keeps until its worker's proved end, with that end. */
  kept(sessionId: SessionId): { readonly lease: HeldLease; readonly proof: Promise<void> } | null;
  /** The view changed: at most ten times a second. */
  changed(attempt: AttemptRun): void;
  /** The outcome is stored. */
  ended(attempt: AttemptRun): void;
  /** A place for its second model; null = all are taken. */
  reserve(model: ModelFacts): AttemptSlot | null;
  /** Whether it stands back for a chat that wants its model: then it asks nothing of it now. */
  standsBack(attempt: AttemptRun): boolean;
  letChatEnd: ChatWaitEnv['letChatEnd'];
  /** No exit was seen after the kill: the model is barred in this instance. */
  writtenOff(attempt: AttemptRun): void;
  log(line: string): void;
}

/** A wish for which an attempt began. */
export interface AttemptSpec extends Wish {
  readonly id: AttemptId;
  readonly row: readonly Strategy[];
  readonly noModel: NoModelReason | null;
  readonly writers: Writers;
  readonly keepTurns: number;
}

export class AttemptRun {
  readonly spec: AttemptSpec;
  readonly fence = new CommitFence();
  readonly progress: AttemptProgress;
  /** The outcome, as soon as it is stored: what a turn waits for. */
  readonly outcome: Promise<AttemptOutcome>;
  /** The outcome is stored, and either it is proved that nothing of it runs or the grace is over. */
  readonly joined: Promise<void>;
  /** Nothing of it runs any more. */
  readonly proved: Promise<void>;
  need: Need;
  turnId: TurnId | null;

  readonly #env: AttemptEnv;
  readonly #candidate: Candidate;
  readonly #acquirer: Acquirer;
  readonly #chatWait: ChatWait;
  #slot: AttemptSlot | null;
  #machine: Step;
  #lease: HeldLease | null = null;
  #adoptedProof: Promise<void> | null = null;
  #stop: StopProof | null = null;
  #busy = false;
  readonly #queue: Input[] = [];
  #resolveOutcome: (outcome: AttemptOutcome) => void = () => {};
  #resolveGrace: () => void = () => {};
  #resolveProof: () => void = () => {};

  /** `slot` null with `summarize` in the row = it has to wait for a summarizer. */
  constructor(env: AttemptEnv, spec: AttemptSpec, slot: AttemptSlot | null, waits: boolean) {
    this.#env = env;
    this.spec = spec;
    this.need = spec.need;
    this.turnId = spec.turnId;
    this.#slot = slot;
    this.outcome = new Promise((resolve) => {
      this.#resolveOutcome = resolve;
    });
    const grace = new Promise<void>((resolve) => {
      this.#resolveGrace = resolve;
    });
    this.proved = new Promise((resolve) => {
      this.#resolveProof = resolve;
    });
    this.joined = this.outcome.then(() => Promise.race([grace, this.proved]));
    this.progress = new AttemptProgress(this, env.clock, () => env.changed(this));
    this.#candidate = new Candidate(this.#candidateEnv());
    this.#acquirer = new Acquirer(env, { session: spec.sessionId, kind: 'compression' }, spec.id);
    this.#chatWait = new ChatWait({
      letChatEnd: env.letChatEnd,
      exclusive: (fn) => this.#exclusive(fn),
      waits: (waits) => {
        this.progress.paused = waits;
      },
    });
    this.#machine = begin(spec.row, waits, spec.writers.second !== null, spec.accepts !== null);
  }

  get state() {
    return this.#machine.state;
  }
  get holding() {
    return this.#lease?.holding ?? null;
  }
  /** True where a later attempt may take over the lease that this one keeps. */
  get keepsLease(): boolean {
    return this.state.phase.at === 'ended' && this.state.holds && this.#lease !== null;
  }
  /** Hands over the lease that this ended attempt keeps for its unproved stream: it is no longer its own to release. */
  giveUpLease(): HeldLease | null {
    if (!this.keepsLease) return null;
    const lease = this.#lease;
    this.#lease = null;
    return lease;
  }
  get candidate(): Candidate {
    return this.#candidate;
  }

  start(): void {
    this.#env.log(`attempt ${this.spec.id} ${this.spec.need} ${this.spec.trigger} ${this.spec.row.join(',')}`);
    this.#exclusive(() => this.#perform(this.#machine.effects));
  }
  slotFree(slot: AttemptSlot): void {
    this.#slot = slot;
    this.dispatch({ in: 'slot-free' });
  }
  cancel(by: 'user' | 'unwind' | 'quit'): void {
    const { failure } = this.state;
    const outOfPatience = this.#candidate.outOfPatience || failure === 'stalled' || failure === 'ceiling-exhausted';
    this.dispatch({ in: 'cancel', by, outOfPatience });
  }
  /** The model that it asks. */
  get model(): ModelFacts {
    return this.#candidate.writer;
  }
  /** True while it reads the chat itself, in its model's cache. */
  get readsWhole(): boolean {
    return this.#candidate.run?.whole ?? false;
  }
  /** Its stream pauses, or goes on: a chat comes first. Its watch pauses with it. */
  standBack(back: boolean): void {
    if (back === this.progress.paused) return;
    this.progress.paused = back;
    this.#candidate.pause(back);
    this.progress.touch();
  }
  slept(): void {
    this.#candidate.slept();
    this.progress.slept();
    this.#lease?.renew();
  }
  view(): AttemptView {
    return this.progress.view();
  }

  dispatch(input: Input): void {
    this.#queue.push(input);
    if (!this.#busy) this.#exclusive(() => {});
  }

  /** Runs `fn`, then what was asked for meanwhile: nothing lands in the middle of a step. */
  #exclusive(fn: () => void): void {
    this.#busy = true;
    try {
      this.#guarded(fn);
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        this.#machine = step(this.#machine.state, next);
        this.#guarded(() => this.#perform(this.#machine.effects));
        if (this.state.phase.at === 'ended' && this.state.proof === 'none') this.#resolveProof();
      }
    } finally {
      this.#busy = false;
    }
    this.progress.touch();
  }

  /** A step that throws (a full disk, a broken file) ends the attempt: nobody waits for one that cannot go on. */
  #guarded(fn: () => void): void {
    try {
      fn();
    } catch (error) {
      this.progress.note(String(error));
      this.#env.log(`attempt ${this.spec.id} fault ${String(error)}`);
      this.#queue.push({ in: 'data-failed' });
    }
  }

  #perform(effects: readonly Effect[]): void {
    for (const effect of effects) this.#do(effect);
  }

  #do(effect: Effect): void {
    const { seam, clock } = this.#env;
    const { sessionId, id } = this.spec;
    switch (effect.do) {
      case 'acquire':
        this.#acquirer.acquire({
          exclusive: (fn) => (this.#busy ? fn() : this.#exclusive(fn)),
          arm: (lease) => this.#arm(lease),
          answer: (input) => this.#acquired(input),
        });
        return;
      case 'plan':
        this.#storeProgress();
        this.#candidate.plan();
        return;
      case 'open-part':
        this.progress.partOpened();
        if (effect.part === 1) this.#storeFirstPart();
        if (!this.#env.standsBack(this)) this.#chatWait.before(this.model, () => this.#candidate.openPart(effect.part));
        return;
      case 'prune':
        this.#candidate.prune();
        return;
      case 'switch':
        this.#switch();
        return;
      case 'extract':
        this.#candidate.extract();
        return;
      case 'check':
        this.#candidate.check(effect.strategy);
        return;
      case 'commit':
        this.#candidate.commit();
        return;
      case 'cancel-fence':
        this.fence.cancel();
        this.#acquirer.end();
        return;
      case 'cancel-stream':
        this.#chatWait.end();
        this.#stop = this.#candidate.stopStream(effect.why, {
          stopped: () => this.dispatch({ in: 'stopped' }),
          late: () => this.#env.log(`attempt ${id} late answer refused`),
          graceOver: () => {
            this.dispatch({ in: 'grace-over' });
            this.#resolveGrace();
          },
          unseen: () => this.dispatch({ in: 'unseen' }),
        });
        if (!this.#stop) clock.nextTurn(() => this.dispatch({ in: 'stopped' }));
        return;
      case 'kill':
        this.#env.log(`attempt ${id} kill`);
        this.#stop?.kill();
        return;
      case 'write-off':
        this.#env.writtenOff(this);
        return;
      case 'backoff':
        armBackoff(seam, clock, sessionId, id, effect.strategy, effect.failure, this.progress.error);
        return;
      case 'await-growth':
        // that a chosen range gains nothing says nothing of the rest
        if (this.spec.range === null) awaitGrowth(seam, clock, sessionId, id, effect.strategy);
        return;
      case 'end':
        this.#end(effect.outcome);
        return;
      case 'release':
        this.#release();
        return;
      default:
        assertNever(effect);
    }
  }

  #switch(): void {
    this.#slot?.release();
    this.#slot = null;
    this.progress.partOpened();
    this.#candidate.useSecond();
  }

  #arm(lease: HeldLease): void {
    this.#lease = lease;
    lease.onLost(() => this.dispatch({ in: 'lease-lost' }));
  }

  /** A lease that an ended attempt of this instance keeps may be adopted, with its holder and epoch. */
  #acquired(input: Input): void {
    if (input.in !== 'kept') {
      this.dispatch(input);
      return;
    }
    // what asks no model may work beside a worker that is not proved stopped
    const may = this.state.ready || this.state.row.includes('extract');
    const kept = may ? this.#env.kept(this.spec.sessionId) : null;
    if (kept) {
      this.#arm(kept.lease);
      this.#adoptedProof = kept.proof;
    }
    this.dispatch({ in: 'kept', adopt: kept !== null });
  }

  #end(outcome: AttemptOutcome): void {
    const { seam, clock } = this.#env;
    this.#chatWait.end();
    this.progress.ended(outcome);
    this.#candidate.end();
    this.#slot?.release();
    this.#env.log(`attempt ${this.spec.id} ended ${JSON.stringify(outcome)}`);
    const told = () => {
      this.#resolveOutcome(outcome);
      this.#env.ended(this);
    };
    if (outcome.kind === 'committed' || outcome.kind === 'proposed') {
      if (this.state.proof === 'none' && !this.#adoptedProof) this.#lease?.released();
      told();
      return;
    }
    const { error, strategy, spent } = this.progress;
    const end = { now: clock.wall(), error, strategy, spent };
    seam
      .persist(this.spec.sessionId, (tx) => this.#endIn(tx, outcome, end), { first: true })
      .catch((error: unknown) => this.#env.log(`attempt ${this.spec.id} outcome not stored: ${String(error)}`))
      .then(told);
  }

  #endIn(tx: WriteTx, outcome: AttemptOutcome, end: Parameters<typeof endAttempt>[3]): void {
    endAttempt(tx, this.spec.id, outcome, end);
    const { accepts } = this.spec;
    if (accepts !== null && this.#candidate.outdated)
      changeSummaryState(tx, accepts, { from: 'proposed', to: 'stale', now: end.now });
  }

  #release(): void {
    const lease = this.#lease;
    if (!lease) return;
    // an adopted lease goes free when the stream that it was kept for has ended too
    if (this.#adoptedProof) void this.#adoptedProof.then(() => lease.release());
    else void lease.release();
  }

  /** What other windows and a recovery see of it; a failed write is made good by the next checkpoint. */
  #storeProgress(): void {
    this.#env.seam.write(this.spec.sessionId, (tx) => this.#writeProgress(tx)).catch(() => {});
  }
  /** Recovery must know that a model was at work; what was allowed in spite of a backoff is spent now, not by asking. */
  #storeFirstPart(): void {
    const write = (tx: WriteTx) => {
      this.#writeProgress(tx);
      if (this.spec.bypass) spendBypass(tx, this.spec.sessionId);
    };
    this.#env.seam.write(this.spec.sessionId, write).catch(() => {});
  }
  #writeProgress(tx: WriteTx): void {
    progressAttempt(tx, this.spec.id, { ...this.progress.row(), need: this.need, epoch: this.holding?.epoch ?? null });
  }

  #candidateEnv(): CandidateEnv {
    const { env, spec } = { env: this.#env, spec: this.spec };
    return {
      seam: env.seam,
      clock: env.clock,
      data: env.data,
      spec,
      fence: this.fence,
      slot: () => (this.#slot ??= this.#env.reserve(this.model)),
      lease: () => this.#lease,
      need: () => this.need,
      row: () => this.state.row,
      mayRelease: () => this.state.proof === 'none' && this.#adoptedProof === null,
      heard: (event) => this.progress.heard(event),
      progress: (tx) => this.#writeProgress(tx),
      note: (error) => this.progress.note(error),
      dispatch: (input) => this.dispatch(input),
    };
  }
}
