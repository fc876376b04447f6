/** Runs one turn: does what its machine says, stores every state, and ends in exactly one outcome (holds I7, I8). */
import { assertNever } from '../../shared/exhaustive';
import type { AttachmentHash } from '../../shared/model/attachment';
import type { BranchId, MessageId, ModelRef, SessionId, TurnId } from '../../shared/model/ids';
import { waitsForClick } from '../../shared/model/turn';
import type { AttemptRun } from '../compression/attempt';
import type { Coordinator } from '../compression/coordinator';
import type { HeldLease } from '../compression/lease';
import { SLOT_WAIT_MS } from '../compression/policy';
import { getSession } from '../db/sessions-table';
import { activeRanges } from '../db/summaries-table';
import type { DataThread } from '../db/thread/client';
import { changeTurn } from '../db/turns-table';
import type { StreamOpener } from '../hosts/stream-handle';
import { type Clock, patiently } from '../lib/clock';
import type { Ids } from '../lib/ids';
import { modelOf } from '../providers/model-of';
import type { ModelFacts, Models } from '../providers/registry-types';
import type { Approvals } from '../tools/approvals';
import type { Toolbox } from '../tools/tool';
import type { TurnWrites } from './fenced-writes';
import { type Effect, hasEnded, type Input, step, type TurnMachine } from './machine';
import { type Measured, measureExactly } from './measure';
import { recallFor } from './recalling';
import { RequestRun } from './request-run';
import { ToolRun } from './tool-run';
import { faultInput } from './turn-failure';

/** What a turn reports; each call says that the stored or shown thing changed. */
export interface TurnEvents {
  turn(sessionId: SessionId): void;
  message(sessionId: SessionId, id: MessageId, what: 'added' | 'changed' | 'removed'): void;
  delta(sessionId: SessionId, id: MessageId, at: number, text: string): void;
  context(sessionId: SessionId, measured: Measured): void;
  /** What the server counted of a request is stored: no estimate stands for it any more. */
  counted(sessionId: SessionId): void;
  /** A line from a tool that runs. */
  toolProgress(sessionId: SessionId, callId: string, line: string): void;
  /** The model's server cannot be reached: what is shown of it is asked anew. */
  away(ref: ModelRef): void;
  /** The server was proved to give a smaller window than was counted with. Tokens. */
  learned(sessionId: SessionId, served: number, trained: number | null): void;
  /** The answer ended at the limit of its length. */
  cut(sessionId: SessionId, limit: number): void;
}

export interface TurnEnv {
  readonly seam: TurnWrites;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly models: Models;
  readonly streams: StreamOpener;
  readonly coordinator: Coordinator;
  readonly toolbox: Toolbox;
  readonly approvals: Pick<Approvals, 'ask'>;
  readonly data: DataThread;
  readonly events: TurnEvents;
  /** Where the file of a picture lies. */
  imagePath(hash: AttachmentHash): string;
  automatic(sessionId: SessionId): 'on' | 'off' | 'breaker';
  log(line: string): void;
}

export interface TurnSpec {
  readonly id: TurnId;
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
}

/** A compression that a request need not wait for is left behind after this long without progress. */
const PRESSURE_PATIENCE_MS = 15_000;
/** A turn whose model has called tools this often is asked once more, without any: it ends with an answer. */
const TOOL_ROUNDS = 16;

export class TurnRun {
  readonly spec: TurnSpec;
  readonly lease: HeldLease;
  /** Resolves when this run is over: its turn has ended, or is left to a click. */
  readonly over: Promise<TurnMachine>;
  readonly #env: TurnEnv;
  #machine: TurnMachine;
  #measured: Measured | null = null;
  /** The summaries in use on its path when it was measured last. */
  #shown: string | null = null;
  #facts: ModelFacts | null = null;
  #attempt: AttemptRun | null = null;
  #running: RequestRun | null = null;
  #tools: ToolRun | null = null;
  /** Answers of this turn that called tools. */
  #rounds = 0;
  #storing: Promise<unknown> = Promise.resolve();
  #cancelWait: (() => void) | null = null;
  #leaveModel: () => void = () => {};
  readonly #queue: Input[] = [];
  #busy = false;
  #resolve: (end: TurnMachine) => void = () => {};

  constructor(env: TurnEnv, spec: TurnSpec, lease: HeldLease, machine: TurnMachine) {
    this.#env = env;
    this.#machine = machine;
    this.spec = spec;
    this.lease = lease;
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** No timer of it fires any more: it waits for the next start. */
  freeze(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
  }

  get machine(): TurnMachine {
    return this.#machine;
  }
  /** True once only a click takes the turn further: this run does nothing more, and its lease is let go. */
  get left(): boolean {
    return waitsForClick(this.#machine.reason);
  }
  /** Lets what was streamed reach the database: the app is about to end. */
  flushNow(): void {
    this.#running?.flushNow();
  }

  /** True where its path shows other summaries than it was measured by. */
  get outdated(): boolean {
    return this.#shown !== null && this.#shown !== this.#shownNow();
  }
  #shownNow(): string {
    return activeRanges(this.#env.seam.db, this.spec.branchId)
      .map(({ id }) => id)
      .join();
  }

  /** It wants its model no more: compression that stands back for it goes on. */
  leaveModel(): void {
    this.#leaveModel();
  }

  /** The app ends: the stream is cut, what it said is kept. */
  interrupt(): void {
    this.#running?.stop();
    this.dispatch({ in: 'interrupted' });
  }

  dispatch(input: Input): void {
    this.#queue.push(input);
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#take(next);
    } finally {
      this.#busy = false;
    }
  }

  #take(input: Input): void {
    const before = this.#machine;
    if (hasEnded(before.at) || this.left) return;
    const { state, effects } = step(before, input);
    this.#machine = state;
    if (state === before) return;
    this.#cancelWait?.();
    this.#cancelWait = null;
    if (state.wakeAfterMs !== null) this.#wakeAfter(state.wakeAfterMs);
    this.#awaitPlace();
    for (const effect of effects) this.#do(effect);
    if (state.at === 'deferred') this.leaveModel();
    if (hasEnded(state.at) || this.left) void this.#end();
    else this.#store();
  }

  /** Where a try would end as the last one did, none is made: each is a row. */
  #wakeAfter(ms: number): void {
    const { clock, coordinator } = this.#env;
    this.#cancelWait = clock.after(ms, () => {
      const { reason } = this.#machine;
      const exiting = reason?.state === 'deferred' && reason.why.kind === 'worker-exiting';
      if (exiting && coordinator.awaitsProof(this.spec.sessionId)) this.#wakeAfter(ms);
      else this.dispatch({ in: 'wake', cause: this.#timerCause() });
    });
  }

  /** What waits for a place is told when there is one. Where all summarizers work, no try is made before: each is a row. */
  #awaitPlace(): void {
    const { reason } = this.#machine;
    if (reason?.state !== 'deferred' || !this.#facts) return;
    const { coordinator } = this.#env;
    const { why } = reason;
    const wake = () => this.dispatch({ in: 'wake', cause: 'free' });
    if (why.kind === 'model-busy') this.#cancelWait = coordinator.whenPlace(this.#facts, wake);
    if (why.kind === 'server-busy' && why.by === 'chat')
      this.#cancelWait = coordinator.chatFirst.whenFree(this.#facts, wake);
  }

  /** A wait for the lease at the hard mark is given up by its timer; other timers only look again. */
  #timerCause(): 'free' | 'timer' {
    const reason = this.#machine.reason;
    return reason?.state === 'deferred' && reason.why.kind === 'lease-held' ? 'timer' : 'free';
  }

  #store(): void {
    const { seam, clock, events } = this.#env;
    const { at: state, reason, wakeAfterMs, attempts, bypassed } = this.#machine;
    const now = clock.wall();
    const retryAt = wakeAfterMs === null ? null : now + wakeAfterMs;
    const row = { state, reason, retryAt, attempts, bypassed, endedAt: hasEnded(state) ? now : null };
    const { sessionId, id } = this.spec;
    this.#storing = this.#storing
      .then(() => seam.persist(sessionId, (tx) => changeTurn(tx, id, row), { first: row.endedAt !== null }))
      .catch((error: unknown) => this.#env.log(`turn ${id} state not stored: ${String(error)}`))
      .then(() => events.turn(sessionId))
      .catch((error: unknown) => this.#env.log(`turn ${id} not told: ${String(error)}`));
  }

  async #end(): Promise<void> {
    await this.#running?.stored;
    // calls that the end of the turn has overtaken are not run; they have their results all the same
    if (this.#tools === null && this.#running && this.#running.calls.length > 0)
      this.#startTools(this.#machine.at === 'interrupted' ? 'interrupted' : 'cancelled');
    await this.#tools?.stored;
    // the end of the app came between the end of the answer and that of its turn
    if (this.#machine.at === 'interrupted' && this.#running?.complete)
      this.#machine = { ...this.#machine, at: 'completed' };
    this.#store();
    await this.#storing;
    this.#resolve(this.#machine);
  }

  #do(effect: Effect): void {
    switch (effect.do) {
      case 'measure':
        void this.#measure();
        return;
      case 'compress':
        this.#compress(effect).catch((error: unknown) => this.dispatch(faultInput(error)));
        return;
      case 'request':
        this.#request();
        return;
      case 'stop-stream':
        this.#running?.stop();
        return;
      case 'run-tools':
        this.#rounds++;
        this.#startTools(null);
        return;
      case 'stop-tools':
        this.#tools?.leave(effect.why);
        return;
      case 'let-go':
        if (this.#attempt) this.#leave(this.#attempt);
        this.#attempt = null;
        return;
      case 'cancel-compression':
        if (this.#attempt) this.#env.coordinator.cancel(this.spec.sessionId, this.#attempt.spec.id, 'user');
        return;
      default:
        assertNever(effect);
    }
  }

  async #measure(): Promise<void> {
    const { seam, models, events, toolbox, coordinator } = this.#env;
    const { sessionId } = this.spec;
    try {
      this.#facts = modelOf(models, getSession(seam.db, sessionId));
      if (!this.#facts) return this.dispatch({ in: 'failed', code: 'no-model', fields: {} });
      const before = this.#leaveModel;
      this.#leaveModel = coordinator.chatFirst.stays(this.#facts);
      before(); // another one may have been chosen meanwhile
      this.#shown = this.#shownNow();
      const mayCall = this.#rounds < TOOL_ROUNDS;
      if (this.#facts.tools && mayCall) toolbox.needed();
      const measure = (facts: ModelFacts) => measureExactly(seam.db, this.spec, facts, models, toolbox, mayCall);
      let measured = await measure(this.#facts);
      // an answer that is gone on with was given without: what was sent stays the beginning of what is sent
      const question = measured.loaded.endsWithAnswer
        ? null
        : await recallFor(this.#env, this.spec, this.#facts, measured);
      if (question) {
        events.message(sessionId, question.id, 'changed');
        measured = await measure(this.#facts);
      }
      this.#measured = measured;
      events.context(sessionId, measured);
      this.dispatch({ in: 'measured', measure: measured.measure, automatic: this.#env.automatic(sessionId) });
    } catch (error) {
      this.dispatch(faultInput(error));
    }
  }

  async #compress(effect: Extract<Effect, { do: 'compress' }>): Promise<void> {
    const { coordinator, clock } = this.#env;
    const { sessionId, branchId, id } = this.spec;
    if (!this.#facts || !this.#measured?.marks) return this.dispatch({ in: 'skipped' });
    const { marks, bulkyResults, fixedTokens } = this.#measured;
    const { need, trigger, bypass } = effect;
    const wish = {
      sessionId,
      branchId,
      turnId: id,
      chosen: null,
      range: null,
      accepts: null,
      model: this.#facts,
      marks,
      bulkyResults,
      fixedTokens,
      need,
      trigger,
      bypass,
    };
    const started = await coordinator.start(wish);
    switch (started.kind) {
      case 'skipped':
        return this.dispatch({ in: 'skipped' });
      case 'paused':
        return this.dispatch({ in: 'paused', until: started.until, now: clock.wall() });
      case 'running':
        return this.#waitFor(started.attempt, started.joined, need);
    }
  }

  #waitFor(attempt: AttemptRun, joined: boolean, need: 'pressure' | 'must'): void {
    if (this.#machine.at !== 'compressing') {
      // stopped or sent meanwhile: nobody waits for it, and what was begun for this turn alone ends
      this.#leave(attempt);
      if (!joined && need === 'must') this.#env.coordinator.cancel(this.spec.sessionId, attempt.spec.id, 'user');
      return;
    }
    this.#attempt = attempt;
    if (need === 'pressure') this.#leaveWhenStill(attempt);
    void attempt.outcome.then((outcome) => {
      if (this.#attempt !== attempt) return;
      this.#attempt = null;
      this.dispatch({ in: 'compressed', outcome, joined });
    });
  }

  /** Nobody waits for it any more: a chat that wants its model goes first. */
  #leave(attempt: AttemptRun): void {
    attempt.turnId = null;
    this.#env.coordinator.chatFirst.look(attempt);
  }

  #leaveWhenStill(attempt: AttemptRun): void {
    const { clock } = this.#env;
    const patience = attempt.state.phase.at === 'waiting' ? SLOT_WAIT_MS : PRESSURE_PATIENCE_MS;
    const still = attempt.state.phase.at === 'waiting' ? 0 : clock.monotonic() - attempt.progress.lastSubstance;
    patiently(clock, Math.max(1, patience - still), () => {
      if (this.#attempt !== attempt) return;
      const waits = attempt.state.phase.at === 'waiting';
      if (waits || clock.monotonic() - attempt.progress.lastSubstance >= PRESSURE_PATIENCE_MS)
        this.dispatch({ in: 'compression-stalls' });
      else this.#leaveWhenStill(attempt);
    });
  }

  /** `left` = the turn has ended: nothing runs, every call gets its result. */
  #startTools(left: 'cancelled' | 'interrupted' | null): void {
    if (!this.#facts || !this.#measured || !this.#running) return;
    const { tools, marks } = this.#measured;
    const spec = { calls: this.#running.calls, tools, usable: marks?.usable ?? null, rates: this.#facts.rates };
    this.#tools = new ToolRun(this.#env, this.spec, spec);
    if (left !== null) this.#tools.leave(left);
    this.#tools.start(
      () => this.dispatch({ in: 'results' }),
      (error) => this.dispatch(faultInput(error)),
    );
  }

  #request(): void {
    if (!this.#facts || !this.#measured) return this.dispatch({ in: 'failed', code: 'no-model', fields: {} });
    const { chatFirst } = this.#env.coordinator;
    if (!this.#machine.beside && chatFirst.busy(this.#facts)) return this.dispatch({ in: 'server-busy' });
    this.#tools = null;
    this.#running = new RequestRun(this.#env, this.spec, this.#facts, this.#measured, {
      dispatch: (input) => this.dispatch(input),
      wanted: () => this.#machine.at === 'requesting',
    });
    this.#running.start(chatFirst.begins(this.#facts));
  }
}
