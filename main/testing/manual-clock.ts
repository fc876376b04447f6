import type { Clock } from '../lib/clock';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fn: () => void;
}

/** Far more than any test needs in one step: what goes beyond it would never end, and must fail instead. */
const MOST = 50_000;
function atRest(done: number): void {
  if (done > MOST) throw new Error('the clock never comes to rest: what it runs asks for itself again');
}

/** A clock that moves only when the test says so. Timers fire in the order of their times, inside `advance`. */
export class ManualClock implements Clock {
  #now = 0;
  #wallOffset: number;
  #order = 0;
  #timers: Timer[] = [];
  #turns: (() => void)[] = [];
  /** Called right after each timer fired, before the later turns that it asked for. */
  afterTimer: () => void = () => {};

  constructor(wall = 1_800_000_000_000) {
    this.#wallOffset = wall;
  }

  wall(): number {
    return this.#wallOffset + this.#now;
  }
  monotonic(): number {
    return this.#now;
  }
  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order++, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }
  nextTurn(fn: () => void): void {
    this.#turns.push(fn);
  }

  /** Runs what `nextTurn` was given, and what that gives it. */
  turn(): void {
    for (let ran = 0; this.#turns.length > 0; )
      for (const fn of this.#turns.splice(0)) {
        atRest(ran++);
        fn();
      }
  }
  /** Moves on by `ms`, firing each timer at its own time, with the later turns in between. */
  advance(ms: number): void {
    const until = this.#now + ms;
    this.turn();
    for (let fired = 0; ; fired++) {
      atRest(fired);
      const next = this.#timers
        .filter(({ at }) => at <= until)
        .sort((a, b) => a.at - b.at || a.order - b.order)
        .at(0);
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.fn();
      this.afterTimer();
      this.turn();
    }
    this.#now = until;
  }
  /**
   * The machine sleeps: wall time passes and nothing runs. On Windows monotonic time `moves` too, and what came due fires
   * late, in its order; elsewhere it `stands`.
   */
  sleep(ms: number, monotonic: 'moves' | 'stands'): void {
    if (monotonic === 'stands') this.#wallOffset += ms;
    else {
      this.#now += ms;
      this.advance(0);
    }
  }
  /** Moves the wall clock alone, as a user or the network's time does. */
  jumpWall(ms: number): void {
    this.#wallOffset += ms;
  }
  /** The process is gone: nothing of it fires any more. */
  stop(): void {
    this.#timers = [];
    this.#turns = [];
  }
  /** Later turns that were asked for and have not come. */
  get pendingTurns(): number {
    return this.#turns.length;
  }
  /** Timers that are armed: a test's proof that nothing was left behind. */
  get armed(): number {
    return this.#timers.length;
  }
}
