import type { AttachmentHash } from '../../../shared/model/attachment';
import type { MessageId } from '../../../shared/model/ids';
import type { WriteDb } from '../../db/database';
import { openForWriting } from '../../db/open';
import type { TempProfile } from '../profile';
import type { SimulatedStream } from '../simulated-host';
import type { Action, Pick, Who } from './action';
import { Crash } from './crashing-seam';
import { Process, type Reading } from './process';
import { goodAnswer, say, sayAsTool } from './say';
import type { Template } from './template';
import { type Accepted, ask } from './verbs';
import type { WorldView } from './world-view';

/** Summarizers of each process. The second one has a single one, so that attempts have to wait for it. */
const SLOTS = [2, 1] as const;

/** Two processes on one real database file, driven by actions. The rules are the product's; only the world is made. */
export class Simulation implements WorldView {
  readonly sessions: Template['sessions'];
  readonly accepted = new Map<MessageId, Accepted>();
  readonly attached = new Map<AttachmentHash, { removed: boolean }>();
  readonly readings: Reading[] = [];
  readonly broken: string[] = [];
  /** What happened, for a failing schedule. */
  readonly diary: string[] = [];
  now = 0;
  readonly #profile: TempProfile;
  readonly #processes: (Process | null)[] = [null, null];
  #blocker: WriteDb | null = null;
  #dying: Process[] = [];
  #minted = 0;
  #deaths = 0;

  constructor(profile: TempProfile, template: Template) {
    this.#profile = profile;
    template.copyTo(profile);
    this.sessions = template.sessions;
    this.#start(0);
  }

  get living(): Process[] {
    return this.#processes.filter((process) => process !== null);
  }
  mint(): MessageId {
    return `10000000-0000-4000-8000-${String(++this.#minted).padStart(12, '0')}` as MessageId;
  }
  fault(error: unknown): void {
    this.broken.push(`fault: the product threw ${error instanceof Error ? error.stack : String(error)}`);
  }

  /** Lets everything that can be handled without time be handled, in every process that hears. */
  async settle(rounds = 8): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      for (const process of this.living) if (!process.hung) this.#guard(() => process.engine.clock.turn());
      this.#bury();
    }
  }

  async act(action: Action): Promise<void> {
    if ('p' in action) await this.#actIn(action);
    else if (action.do === 'pass') await this.#pass(action.ms);
    else if (action.on) this.#block();
    else this.#unblock();
    await this.settle();
    this.#look();
  }

  async #actIn(action: Extract<Action, { p: Who }>): Promise<void> {
    const process = this.#processes[action.p] ?? null;
    if (action.do === 'start') {
      if (!process) this.#start(action.p);
      return;
    }
    if (!process) return;
    if (action.do === 'wake') this.#wake(process, action.first);
    else if (action.do === 'kill') this.#gone(action.p);
    else if (!process.hung) await this.#do(process, action);
  }

  async #do(process: Process, action: Extract<Action, { p: Who }>): Promise<void> {
    switch (action.do) {
      case 'hang':
        process.hung = true;
        process.hungSince = this.now - process.missed;
        process.missed = 0;
        return;
      case 'wall':
        return process.engine.clock.jumpWall(action.ms);
      case 'setting':
        process.engine.extractAllowed = action.extract;
        process.engine.automatic = action.automatic;
        process.engine.models.change({ tools: action.tools });
        return;
      case 'crash':
        process.seam.planned = { writes: action.writes, at: action.at };
        return;
      case 'busy':
        process.seam.locked = { writes: action.writes, tries: action.tries };
        return;
      case 'quit':
        return this.#quit(process, action.p);
      case 'stream': {
        const stream = picked(process, action);
        if (stream) this.#guard(() => say(stream, action.says));
        return;
      }
      case 'tool': {
        const { open } = process.tool;
        if (open) this.#guard(() => sayAsTool(open, action.says));
        return;
      }
      case 'mood': {
        const stream = picked(process, action);
        if (stream) stream.onCancel = action.cancel;
        if (stream) stream.onKill = action.kill;
        return;
      }
      case 'last-moment': {
        const stream = picked(process, action);
        if (stream) process.answerAtTheLast(stream);
        return;
      }
      case 'start':
      case 'wake':
      case 'kill':
        return;
      default: {
        const session = this.sessions[action.s];
        if (session) this.#guard(() => ask(this, process, session, action));
      }
    }
  }

  /** Takes note of attempts and summary streams, for the invariants. */
  #look(): void {
    for (const process of this.living)
      for (const attempt of process.engine.coordinator.all()) {
        process.attempts.add(attempt);
        const stream = attempt.candidate.run?.stream as SimulatedStream | null | undefined;
        const epoch = attempt.holding?.epoch;
        if (!stream || epoch === undefined || this.readings.some((one) => one.stream === stream)) continue;
        this.readings.push({ stream, session: attempt.spec.sessionId, process, epoch, cancelledAt: null });
      }
    for (const one of this.readings)
      if (one.stream.cancels.length > 0) one.cancelledAt ??= one.process.engine.clock.monotonic();
  }

  /** The world becomes quiet: nothing hangs, servers answer, processes run, time passes. */
  async calm(): Promise<void> {
    this.#unblock();
    for (const p of [0, 1] as const) {
      const process = this.#processes[p];
      if (process) {
        this.#wake(process, 'timers');
        this.#catchUp(process);
        process.seam.planned = null;
        process.seam.locked = null;
      } else this.#start(p);
    }
    for (let round = 0; round < 120; round++) {
      await this.settle();
      let busy = false;
      for (const process of this.living)
        for (const stream of process.engine.host.running) {
          busy = true;
          stream.onCancel = 'stop';
          stream.onKill = 'at-once';
          this.#guard(() => stream.answer(goodAnswer(stream)));
        }
      for (const { tool } of this.living)
        for (let { open } = tool; open; { open } = tool) {
          busy = true;
          open.resolve('a result');
        }
      if (busy) await this.#pass(1_000);
      else {
        if (round > 2 && this.living.every(isQuiet)) return;
        await this.#pass(4_000);
      }
    }
  }

  /** Ends everything without a word, and leaves no handle. */
  end(): void {
    this.#unblock();
    for (const p of [0, 1] as const) this.#gone(p);
    this.#bury();
  }

  #start(p: Who): void {
    this.#processes[p] = new Process({
      profile: this.#profile,
      slots: SLOTS[p],
      living: () => new Set(this.living.map(({ engine }) => engine.me)),
      deaths: () => this.#deaths,
      crashed: (process) => {
        this.#deaths++;
        this.diary.push(`process ${p} crashed`);
        this.#processes[p] = null;
        this.#dying.push(process);
      },
      broken: (what) => this.broken.push(what),
    });
  }

  /** Its clock has gone on without it. What had arrived may be heard before any timer: then time passes later. */
  #wake(process: Process, first: 'timers' | 'input'): void {
    if (!process.hung) return;
    process.hung = false;
    process.missed = this.now - process.hungSince;
    if (first === 'timers') this.#catchUp(process);
  }

  /** What came due while it stood still fires late, in its order. */
  #catchUp(process: Process): void {
    const { missed } = process;
    if (missed === 0 || process.hung) return;
    process.missed = 0;
    this.#guard(() => process.engine.clock.sleep(missed, 'moves'));
    // a grace that was slept through begins anew
    for (const one of this.readings)
      if (one.process === process && one.cancelledAt !== null) one.cancelledAt = process.engine.clock.monotonic();
  }

  #gone(p: Who): void {
    const process = this.#processes[p];
    if (!process) return;
    process.seam.dead = true;
    this.#deaths++;
    this.#processes[p] = null;
    this.#dying.push(process);
  }

  #bury(): void {
    for (const process of this.#dying.splice(0)) process.bury();
  }

  async #pass(ms: number): Promise<void> {
    for (const process of this.living) this.#catchUp(process);
    for (let left = ms; left > 0; left -= 1_000) {
      const step = Math.min(left, 1_000);
      for (const process of this.living) if (!process.hung) this.#guard(() => process.engine.clock.advance(step));
      this.now += step;
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

  async #quit(process: Process, p: Who): Promise<void> {
    const ending = Promise.all([process.engine.turns.quit(), process.engine.coordinator.quit()]).then(
      () => {},
      () => {},
    );
    let over = false;
    void ending.then(() => {
      over = true;
    });
    for (let i = 0; i < 30 && !over && this.#processes[p] === process; i++) {
      await this.settle(4);
      this.#guard(() => process.engine.clock.advance(200));
    }
    this.#look();
    this.#gone(p);
  }
}

/** Nothing of it goes on by itself within the next minute. */
function isQuiet(process: Process): boolean {
  const { turns, coordinator } = process.engine;
  if (coordinator.all().length > 0) return false;
  return turns.all().every(({ machine: { reason } }) => reason?.state === 'deferred' && reason.why.kind === 'backoff');
}

function picked(process: Process, { of, nth }: Pick): SimulatedStream | null {
  const open = process.engine.host.running.filter(({ job }) => of === 'any' || job.kind === of).reverse();
  return open[nth % Math.max(1, open.length)] ?? null;
}
