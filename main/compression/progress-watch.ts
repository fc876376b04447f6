/**
 * Waits for one stream on events, never in a loop (holds I9; P1 to P6, P15): its end, the idle timer, the ceiling.
 * *Settled wins*: when a timer fires the loop turns once more before the watch judges, and an end that arrived by then
 * is the verdict. A timeout that the worker raised is a failure of the worker, never this watch's own.
 */
import { assertNever } from '../../shared/exhaustive';
import type { FailedFrame, ResultFrame, StreamPhase } from '../hosts/protocol';
import type { StreamEnd, StreamEvent, StreamHandle } from '../hosts/stream-handle';
import { type Clock, DRIFT_MS, patiently } from '../lib/clock';

export type Verdict =
  | { readonly kind: 'finished'; readonly result: ResultFrame }
  | { readonly kind: 'failed'; readonly failed: FailedFrame }
  | { readonly kind: 'exited' }
  | { readonly kind: 'idle'; readonly phase: StreamPhase; readonly idleMs: number }
  | { readonly kind: 'ceiling' }
  | { readonly kind: 'cancelled' };

export interface Patience {
  /** Milliseconds without substance in a phase before the stream counts as stalled. */
  idleMs(phase: StreamPhase): number;
  /** Milliseconds from the first phase after loading to the end. */
  readonly ceilingMs: number;
  /** Milliseconds that loading may take in all. */
  readonly loadingCeilingMs: number;
}

export class ProgressWatch {
  readonly #handle: StreamHandle;
  readonly #clock: Clock;
  readonly #patience: Patience;
  readonly #judge: (verdict: Verdict) => void;
  readonly #stopListening: () => void;
  #phase: StreamPhase = 'connecting';
  #done = -1;
  #pieces = 0;
  /** Counts restarts: a timer that fired before one judges no more. */
  #restarts = 0;
  #since: number;
  #sinceWall: number;
  #idle: (() => void) | null = null;
  #ceiling: (() => void) | null = null;
  #over = false;
  #paused = false;

  /** `judge` is called once, with the verdict. */
  constructor(handle: StreamHandle, clock: Clock, patience: Patience, judge: (verdict: Verdict) => void) {
    this.#handle = handle;
    this.#clock = clock;
    this.#patience = patience;
    this.#judge = judge;
    this.#since = clock.monotonic();
    this.#sinceWall = clock.wall();
    this.#stopListening = handle.on((event) => this.#hear(event));
    if (handle.end) this.#settle(handle.end);
    else this.#restart();
  }

  /** Milliseconds since the last piece of substance. */
  get idleForMs(): number {
    return this.#clock.monotonic() - this.#since;
  }
  /** True once this stream has been silent for as long as its phase allows. */
  get outOfPatience(): boolean {
    return !this.#over && !this.#paused && this.idleForMs >= this.#patience.idleMs(this.#phase);
  }

  /** After sleep, or when a pause ends: patience starts anew. */
  restart(): void {
    if (this.#over || this.#paused) return;
    this.#mark();
    this.#restart();
  }
  pause(): void {
    this.#paused = true;
    this.#disarm();
  }
  resume(): void {
    this.#paused = false;
    this.restart();
  }
  /** Stops watching without a verdict. */
  end(): void {
    this.#over = true;
    this.#disarm();
    this.#stopListening();
  }

  #hear(event: StreamEvent): void {
    switch (event.t) {
      case 'settled':
        this.#settle(event.end);
        return;
      case 'phase': {
        const { phase, done = -1 } = event;
        const from = this.#phase;
        if (phase === from && done <= this.#done) return;
        this.#phase = phase;
        this.#done = done;
        // reading and writing share one ceiling; a server that loads may tell nothing of its reading
        this.#substance(phase === 'writing' ? from === 'loading' : phase !== from);
        return;
      }
      case 'text':
      case 'call':
      case 'usage':
        this.#substance(false);
        return;
      case 'alive': // a server that loads has nothing else to say
        if (this.#phase === 'loading') this.#substance(false);
        return;
      case 'paused':
      case 'resumed':
      case 'tools':
      case 'stderr':
      case 'progress':
        return; // shown, never substance
      default:
        assertNever(event);
    }
  }

  #substance(newCeiling: boolean): void {
    this.#pieces++;
    this.#mark();
    if (this.#over || this.#paused) return;
    this.#idle?.();
    this.#armIdle();
    if (newCeiling) this.#armCeiling();
  }

  #mark(): void {
    this.#since = this.#clock.monotonic();
    this.#sinceWall = this.#clock.wall();
  }

  #restart(): void {
    this.#restarts++;
    this.#disarm();
    this.#armIdle();
    this.#armCeiling();
  }

  #armIdle(): void {
    const pieces = this.#pieces;
    const limit = this.#patience.idleMs(this.#phase);
    this.#idle = patiently(this.#clock, limit, () =>
      this.#afterThisTurn(() => {
        if (this.#pieces === pieces) this.#finish({ kind: 'idle', phase: this.#phase, idleMs: limit });
      }),
    );
  }

  #armCeiling(): void {
    this.#ceiling?.();
    const limit = this.#phase === 'loading' ? this.#patience.loadingCeilingMs : this.#patience.ceilingMs;
    this.#ceiling = patiently(this.#clock, limit, () => this.#afterThisTurn(() => this.#finish({ kind: 'ceiling' })));
  }

  /** What has arrived by now is heard first: a finished summary is never thrown away nor paid for twice. */
  #afterThisTurn(judge: () => void): void {
    const restarts = this.#restarts;
    this.#clock.nextTurn(() => {
      if (this.#over || this.#paused || this.#restarts !== restarts) return;
      if (this.#handle.end) this.#settle(this.#handle.end);
      else if (this.#slept()) this.restart();
      else judge();
    });
  }

  /** True where the clocks have drifted apart since the last sign of life: the beat that would tell of it is yet to come. */
  #slept(): boolean {
    return Math.abs(this.#clock.wall() - this.#sinceWall - this.idleForMs) > DRIFT_MS;
  }

  #settle(end: StreamEnd): void {
    this.#finish(verdictOf(end));
  }

  #finish(verdict: Verdict): void {
    if (this.#over) return;
    this.end();
    this.#judge(verdict);
  }

  #disarm(): void {
    this.#idle?.();
    this.#ceiling?.();
    this.#idle = null;
    this.#ceiling = null;
  }
}

function verdictOf(end: StreamEnd): Verdict {
  switch (end.t) {
    case 'result':
      return { kind: 'finished', result: end };
    case 'failed':
      return { kind: 'failed', failed: end };
    case 'stopped':
      return { kind: 'cancelled' };
    case 'exited':
      return { kind: 'exited' };
    default:
      return assertNever(end);
  }
}
