/**
 * One beat a second while work runs or another instance is registered, else one in five: between processes it is the event
 * that everything else waits on. It sees that another connection wrote, that an instance died, and that the machine slept.
 */
import type { WriteDb } from '../db/database';
import { type Clock, DRIFT_MS, LATE_MS } from '../lib/clock';

const BEAT_MS = 1_000;
/** Nothing runs and nobody else is there: so late an idle window sees that another one was opened and writes. */
const IDLE_MS = 5_000;

export interface BeatEvents {
  /** True while work runs or another instance is there. */
  busy(): boolean;
  /** Another process wrote to the database. */
  moved(): void;
  /** Time passed unseen: patience and observations start anew. */
  slept(): void;
  /** Every beat. */
  tick(): void;
  failed(error: unknown): void;
}

export class Beat {
  readonly #db: WriteDb;
  readonly #clock: Clock;
  readonly #events: BeatEvents;
  #cancelTimer: (() => void) | null = null;
  #version: number;
  /** Milliseconds to the beat that is armed. */
  #wait = IDLE_MS;
  #wall = 0;
  #monotonic = 0;
  #ended = false;

  constructor(db: WriteDb, clock: Clock, events: BeatEvents) {
    this.#db = db;
    this.#clock = clock;
    this.#events = events;
    this.#version = this.#readVersion();
  }

  /** Work begins: the next beat is at most a second away. */
  wake(): void {
    if (this.#ended || (this.#cancelTimer && this.#wait === BEAT_MS)) return;
    if (this.#cancelTimer) this.#lookAtClocks();
    else this.#mark();
    this.#cancelTimer?.();
    this.#arm(BEAT_MS);
  }
  end(): void {
    this.#ended = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #arm(ms: number): void {
    this.#wait = ms;
    this.#cancelTimer = this.#clock.after(ms, () => {
      this.#cancelTimer = null;
      if (this.#ended) return;
      let busy = true;
      try {
        this.#beat();
        busy = this.#events.busy();
      } catch (error) {
        this.#events.failed(error); // a full disk is no reason to stop: the next beat tries again
      }
      this.#arm(busy ? BEAT_MS : IDLE_MS);
    });
  }

  #lookAtClocks(): void {
    const wall = this.#clock.wall() - this.#wall;
    const monotonic = this.#clock.monotonic() - this.#monotonic;
    this.#mark();
    if (Math.max(wall, monotonic) > this.#wait + LATE_MS || Math.abs(wall - monotonic) > DRIFT_MS) this.#events.slept();
  }

  #beat(): void {
    this.#lookAtClocks();
    const version = this.#readVersion();
    if (version !== this.#version) {
      this.#version = version;
      this.#events.moved();
    }
    this.#events.tick();
  }

  #mark(): void {
    this.#wall = this.#clock.wall();
    this.#monotonic = this.#clock.monotonic();
  }
  #readVersion(): number {
    return this.#db.pragma('data_version', { simple: true }) as number;
  }
}
