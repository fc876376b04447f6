import type { SessionId } from '../../../shared/model/ids';
import type { AttemptRun } from '../../compression/attempt';
import { otherInstances } from '../../db/instances-table';
import { recoverDead } from '../../db/recovery';
import { Beat } from '../../sessions/beat';
import { Engine } from '../engine';
import { ManualClock } from '../manual-clock';
import type { TempProfile } from '../profile';
import type { SimulatedStream } from '../simulated-host';
import { TestTool } from '../test-tool';
import { CrashingSeam } from './crashing-seam';
import { goodAnswer } from './say';

/** Every so many beats the lock files are tried although nobody has died: trying them is most of a beat's cost. */
const LOCKS_EACH = 32;

/** A summary stream and the attempt that opened it. */
export interface Reading {
  readonly stream: SimulatedStream;
  readonly session: SessionId;
  readonly process: Process;
  readonly epoch: number;
  /** The process's own time when its cancel was seen; null = not cancelled. */
  cancelledAt: number | null;
}

export interface ProcessEnv {
  readonly profile: TempProfile;
  /** Model streams for summaries at a time. */
  readonly slots: number;
  /** Ids of the instances that live, hung ones too. */
  living(): ReadonlySet<string>;
  /** Processes that have ended so far, in whatever way. */
  deaths(): number;
  crashed(process: Process): void;
  broken(what: string): void;
}

/** One simulated app process: the product's engine, its own clock, and whether it stands still. */
export class Process {
  readonly engine: Engine;
  readonly seam: CrashingSeam;
  readonly tool = new TestTool('probe', 20_000);
  /** Attempts that were seen to run, the ended ones too. */
  readonly attempts = new Set<AttemptRun>();
  /** Stopped or asleep: it keeps its locks and hears nothing. */
  hung = false;
  /** The world's time when it was stopped. */
  hungSince = 0;
  /** Milliseconds that passed while it stood still and that its clock has not made good yet. */
  missed = 0;
  /** Streams that answer in the turn in which a timer fires. */
  readonly #late = new Set<SimulatedStream>();
  readonly #beat: Beat;
  readonly #env: ProcessEnv;
  #beats = 0;
  /** Deaths after which nothing of a dead process was found. */
  #recovered = -1;

  constructor(env: ProcessEnv) {
    this.#env = env;
    const clock = new ManualClock();
    let seam: CrashingSeam | null = null;
    const makeSeam = (db: ConstructorParameters<typeof CrashingSeam>[0]) => {
      seam = new CrashingSeam(db, clock);
      return seam;
    };
    this.engine = new Engine(env.profile, clock, makeSeam, env.slots);
    this.engine.tools = [this.tool];
    if (!seam) throw new Error('no seam');
    this.seam = seam;
    this.seam.onCrash = () => env.crashed(this);
    clock.afterTimer = () => this.#answerLate();
    this.#beat = new Beat(this.engine.db, clock, {
      busy: () => true,
      moved: () => {
        this.engine.ahead.lookAgain();
        this.engine.turns.moved();
      },
      failed: (error) => {
        throw error;
      },
      slept: () => {
        this.engine.coordinator.slept();
        this.engine.turns.slept();
      },
      tick: () => this.#tick(),
    });
    this.#beat.wake();
  }

  #tick(): void {
    const { engine } = this;
    const deaths = this.#env.deaths();
    const died = deaths !== this.#recovered && this.#someoneDied();
    if (!died) this.#recovered = deaths;
    if (this.#beats++ % LOCKS_EACH === 0 || died)
      recoverDead(engine.seam, this.#env.profile.locks, engine.me, engine.clock.wall());
    engine.turns.lookAtLeases();
  }

  #someoneDied(): boolean {
    const { db, me } = this.engine;
    const living = this.#env.living();
    return otherInstances(db, me).some((id) => !living.has(id));
  }

  /** Arms a stream that answers in the very turn in which the next timer that judges it fires. */
  answerAtTheLast(stream: SimulatedStream): void {
    if (stream.cancels.length === 0) this.#late.add(stream);
  }

  #answerLate(): void {
    for (const stream of this.#late) {
      const why = stream.cancels.at(-1);
      const judged = why === 'idle' || why === 'ceiling';
      if (judged) this.#env.broken('I9 a result that had arrived by the end of the patience was not looked at');
      if (judged || stream.cancels.length > 0 || stream.end) this.#late.delete(stream);
      else if (this.engine.clock.pendingTurns > 0) stream.answer(goodAnswer(stream));
    }
  }

  /** Takes away what a death leaves: timers, streams, connections. The lock goes free, rows and leases stay. */
  bury(): void {
    this.#beat.end();
    this.engine.clock.stop();
    this.engine.die();
  }
}
