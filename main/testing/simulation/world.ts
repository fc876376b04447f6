import { AppError } from '../../../shared/errors';
import type { Strategy } from '../../../shared/model/compression';
import type { BranchId, MessageId, SessionId } from '../../../shared/model/ids';
import type { WriteDb } from '../../db/database';
import { lastSeq } from '../../db/messages-table';
import { openForWriting } from '../../db/open';
import { outboxOf, removeFromOutbox } from '../../db/outbox-table';
import { recoverDead } from '../../db/recovery';
import { getSession } from '../../db/sessions-table';
import { changeSummaryState } from '../../db/summaries-table';
import { Beat } from '../../sessions/beat';
import { answerAgain, editMessage } from '../../sessions/branches';
import { Engine, GOOD_SUMMARY } from '../engine';
import { ManualClock } from '../manual-clock';
import type { TempProfile } from '../profile';
import type { SimulatedStream } from '../simulated-host';
import type { Action, Who } from './action';
import { Crash, CrashingSeam } from './crashing-seam';
import { say } from './say';

/** One simulated app process: the product's engine, its own clock, and whether it stands still. */
export interface Process {
  readonly engine: Engine;
  readonly seam: CrashingSeam;
  readonly beat: Beat;
  /** Stopped or asleep: it keeps its locks and hears nothing. */
  hung: boolean;
}

/** A summary stream and the attempt that opened it. */
export interface Reading {
  readonly stream: SimulatedStream;
  readonly session: SessionId;
  readonly process: Process;
  readonly epoch: number;
}

export interface World {
  /** Every summary stream that was seen, with the lease it began under. */
  readonly readings: readonly Reading[];
  readonly sessions: readonly { sessionId: SessionId; branchId: BranchId }[];
  /** Every message that a `send` accepted, by id. */
  readonly accepted: Map<MessageId, { readonly session: SessionId; readonly text: string; removed: boolean }>;
  readonly processes: readonly (Process | null)[];
  /** What happened, for a failing schedule. */
  readonly diary: string[];
}

let minted = 0;
const mint = () => `10000000-0000-4000-8000-${String(++minted).padStart(12, '0')}` as MessageId;

/** Two processes on one real database file, driven by actions. The rules are the product's; only the world is made. */
export class Simulation implements World {
  readonly sessions: { sessionId: SessionId; branchId: BranchId }[] = [];
  readonly accepted: World['accepted'] = new Map();
  readonly processes: (Process | null)[] = [null, null];
  readonly diary: string[] = [];
  readonly readings: Reading[] = [];
  readonly #profile: TempProfile;
  #blocker: WriteDb | null = null;
  #dying: Process[] = [];

  constructor(profile: TempProfile) {
    this.#profile = profile;
    this.#start(0);
    const engine = this.processes[0]?.engine;
    if (!engine) throw new Error('not started');
    this.sessions.push(engine.session(12, 700), engine.session(2, 300));
  }

  /** The first session begins compressed, with more said since: what a second compression builds on is there. */
  async begin(): Promise<void> {
    const [first] = this.sessions;
    const engine = this.processes[0]?.engine;
    if (!first || !engine) return;
    await engine.compress(first, 'manual', ['summarize']);
    await engine.answerAll();
    engine.fill(first.sessionId, first.branchId, 12, 700);
    await this.settle();
  }

  /** Lets everything that can be handled without time be handled, in every process that hears. */
  async settle(rounds = 8): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      for (const process of this.processes) if (process && !process.hung) process.engine.clock.turn();
      this.#bury();
    }
  }

  async act(action: Action): Promise<void> {
    if ('p' in action) {
      const process = this.processes[action.p];
      if (action.do === 'start') {
        if (!process) this.#start(action.p);
      } else if (action.do === 'wake') {
        if (process) process.hung = false;
      } else if (process && (!process.hung || action.do === 'kill')) await this.#actIn(process, action);
    } else if (action.do === 'pass') await this.#pass(action.ms);
    else if (action.on) this.#block();
    else this.#unblock();
    await this.settle();
    this.#noteReadings();
  }

  #noteReadings(): void {
    for (const process of this.processes)
      for (const { sessionId } of this.sessions) {
        const attempt = process?.engine.coordinator.running(sessionId);
        const stream = attempt?.candidate.run?.stream;
        const epoch = attempt?.holding?.epoch;
        if (!process || !stream || epoch === undefined || this.readings.some((one) => one.stream === stream)) continue;
        this.readings.push({ stream: stream as SimulatedStream, session: sessionId, process, epoch });
      }
  }

  /** The world becomes quiet: nothing hangs, servers answer, processes run, time passes. */
  async calm(): Promise<void> {
    this.#unblock();
    for (const p of [0, 1] as const) {
      const process = this.processes[p];
      if (process) {
        process.hung = false;
        process.seam.planned = null;
      } else this.#start(p);
    }
    for (let round = 0; round < 60; round++) {
      await this.settle();
      let busy = false;
      for (const process of this.processes)
        for (const stream of process?.engine.host.running ?? []) {
          busy = true;
          stream.onCancel = 'stop';
          stream.onKill = 'at-once';
          stream.answer(stream.job.kind === 'summary' ? GOOD_SUMMARY : 'calm answer');
        }
      await this.#pass(busy ? 1_000 : 8_000);
      if (!busy && round > 8 && this.processes.every((process) => process?.engine.turns.all().length === 0)) return;
    }
  }

  /** Ends everything without a word, and leaves no handle. */
  end(): void {
    this.#unblock();
    for (const p of [0, 1] as const) this.#gone(p);
    this.#bury();
  }

  #start(p: Who): void {
    const clock = new ManualClock();
    let seam: CrashingSeam | null = null;
    const engine = new Engine(this.#profile, clock, (db) => {
      seam = new CrashingSeam(db, clock);
      return seam;
    });
    if (!seam) throw new Error('no seam');
    const made: CrashingSeam = seam;
    const beat = new Beat(engine.db, clock, {
      needed: () => true,
      moved: () => {},
      slept: () => engine.coordinator.slept(),
      tick: () => {
        recoverDead(engine.seam, this.#profile.locks, engine.me, clock.wall());
        engine.turns.lookAtLeases();
      },
    });
    beat.wake();
    const process: Process = { engine, seam: made, beat, hung: false };
    made.onCrash = () => {
      this.diary.push(`process ${p} crashed`);
      this.processes[p] = null;
      this.#dying.push(process);
    };
    this.processes[p] = process;
  }

  #gone(p: Who): void {
    const process = this.processes[p];
    if (!process) return;
    process.seam.dead = true;
    this.processes[p] = null;
    this.#dying.push(process);
  }

  /** Takes away what a death leaves: timers, streams, connections. The lock goes free, rows and leases stay. */
  #bury(): void {
    for (const process of this.#dying.splice(0)) {
      process.beat.end();
      process.engine.clock.stop();
      process.engine.die();
    }
  }

  async #pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      for (const process of this.processes)
        if (process && !process.hung) this.#guard(() => process.engine.clock.advance(Math.min(left, 1_000)));
      await this.settle(2);
    }
  }

  /** A crash unwinds to here; anything else is a fault of the product. */
  #guard(fn: () => void): void {
    try {
      fn();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }

  #block(): void {
    if (this.#blocker) return;
    this.#blocker = openForWriting(this.#profile.database);
    try {
      this.#blocker.exec('BEGIN IMMEDIATE');
    } catch {
      this.#unblock();
    }
  }
  #unblock(): void {
    this.#blocker?.close();
    this.#blocker = null;
  }

  async #actIn(process: Process, action: Extract<Action, { p: Who }>): Promise<void> {
    const { engine } = process;
    switch (action.do) {
      case 'kill':
        return this.#gone(action.p);
      case 'hang':
        process.hung = true;
        return;
      case 'overtake':
        return this.#overtake(process, action);
      case 'wall':
        return engine.clock.jumpWall(action.ms);
      case 'crash':
        process.seam.planned = { writes: action.writes, at: action.at };
        return;
      case 'quit':
        return this.#quit(process, action.p);
      case 'stream':
      case 'mood': {
        const open = engine.host.running;
        const stream = open[action.nth % Math.max(1, open.length)];
        if (!stream) return;
        if (action.do === 'mood') {
          stream.onCancel = action.cancel;
          stream.onKill = action.kill;
        } else this.#guard(() => say(stream, action.says));
        return;
      }
      case 'start':
      case 'wake':
        return;
      default:
        return this.#verb(process, action);
    }
  }

  async #overtake(process: Process, { p, s }: { readonly p: Who; readonly s: Who }): Promise<void> {
    const other = p === 0 ? 1 : 0;
    if (!this.processes[other]) this.#start(other);
    process.hung = true;
    for (let i = 0; i < 4; i++) {
      const rival = this.processes[other];
      if (rival) this.#verb(rival, { do: 'compress', p: other, s, how: 'summarize' });
      await this.settle();
      await this.#pass(16_000);
    }
    process.hung = false;
  }

  async #quit(process: Process, p: Who): Promise<void> {
    const ending = Promise.all([process.engine.turns.quit(), process.engine.coordinator.quit()]).catch(() => {});
    for (let i = 0; i < 30 && this.processes[p] === process; i++) {
      this.#guard(() => process.engine.clock.advance(200));
      await this.settle();
    }
    void ending;
    this.#gone(p);
  }

  /** What a user can ask for. A refusal with a code is an answer. */
  #verb(process: Process, action: Extract<Action, { p: Who; s: Who }>): void {
    const { engine } = process;
    const session = this.sessions[action.s];
    if (!session) return;
    const { sessionId } = session;
    const branchId = getSession(engine.db, sessionId)?.lastBranch ?? session.branchId;
    const here = { sessionId, branchId };
    const attempt = async (fn: () => unknown) => {
      try {
        await fn();
      } catch (error) {
        if (!(error instanceof AppError) && !process.seam.dead) this.diary.push(`FAULT ${String(error)}`);
      }
    };
    switch (action.do) {
      case 'send': {
        const id = mint();
        const text = `${id} ${'words '.repeat(action.words)}`;
        void attempt(async () => {
          await engine.turns.send({ ...here, id, text });
          this.accepted.set(id, { session: sessionId, text, removed: false });
        });
        return;
      }
      case 'compress': {
        const how: Record<typeof action.how, Strategy[]> = {
          all: ['summarize', 'extract'],
          summarize: ['summarize'],
          extract: ['extract'],
        };
        void attempt(() => engine.compress(here, 'manual', how[action.how]));
        return;
      }
      case 'edit':
      case 'answer-again': {
        const seq = Math.max(1, lastSeq(engine.db, branchId) - 1);
        const env = { seam: engine.seam, clock: engine.clock, turns: engine.turns };
        const id = mint();
        void attempt(() =>
          action.do === 'edit'
            ? editMessage(env, { ...here, seq, id, text: `${id} edited` })
            : answerAgain(env, { ...here, seq: seq + 1 }),
        );
        return;
      }
      case 'drop-waiting': {
        const waiting = outboxOf(engine.db, sessionId).at(-1);
        if (!waiting) return;
        void attempt(async () => {
          const gone = await engine.seam.write(sessionId, (tx) => removeFromOutbox(tx, sessionId, waiting.id));
          const known = this.accepted.get(waiting.id);
          if (gone && known) known.removed = true;
        });
        return;
      }
      case 'undo': {
        const shown = engine.shown(branchId).at(-1);
        if (shown)
          void attempt(() =>
            engine.seam.write(sessionId, (tx) =>
              changeSummaryState(tx, shown.id, { from: 'active', to: 'undone', now: engine.clock.wall() }),
            ),
          );
        return;
      }
      case 'cancel':
        return void attempt(() => engine.coordinator.cancel(sessionId, null, 'user'));
      case 'skip-model': {
        const running = engine.coordinator.running(sessionId);
        return void attempt(() => running && engine.coordinator.skipModel(sessionId, running.spec.id));
      }
      case 'stop':
        return void attempt(() => engine.turns.stop(sessionId));
      case 'send-now':
        return void attempt(() => engine.turns.sendNow(sessionId));
      case 'send-again':
        return void attempt(() => engine.turns.sendAgain(sessionId, branchId));
      case 'continue':
        return void attempt(() => engine.turns.continueAnswer(sessionId, branchId));
    }
  }
}
