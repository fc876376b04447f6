/**
 * One beat a second while work runs or another instance is registered: between processes it is the event that
 * everything else waits on. It sees that another connection wrote, that an instance died, and that the machine slept.
 */
import type { WriteDb } from '../db/database';
import { type Clock, DRIFT_MS, LATE_MS } from '../lib/clock';

const BEAT_MS = 1_000;

export interface BeatEvents {
  /** True while the beat is needed. */
  needed(): boolean;
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
  #wall = 0;
  #monotonic = 0;
  #ended = false;

  constructor(db: WriteDb, clock: Clock, events: BeatEvents) {
    this.#db = db;
    this.#clock = clock;
    this.#events = events;
    this.#version = this.#readVersion();
  }

  /** Starts beating where it is needed and does not beat yet. */
  wake(): void {
    if (this.#cancelTimer || this.#ended) return;
    this.#mark();
    this.#arm();
  }
  end(): void {
    this.#ended = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #arm(): void {
    this.#cancelTimer = this.#clock.after(BEAT_MS, () => {
      this.#cancelTimer = null;
      if (this.#ended) return;
      try {
        this.#beat();
      } catch (error) {
        this.#events.failed(error); // a full disk is no reason to stop: the next beat tries again
      }
      if (this.#events.needed()) this.#arm();
    });
  }

  #beat(): void {
    const wall = this.#clock.wall() - this.#wall;
    const monotonic = this.#clock.monotonic() - this.#monotonic;
    this.#mark();
    if (Math.max(wall, monotonic) > BEAT_MS + LATE_MS || Math.abs(wall - monotonic) > DRIFT_MS) this.#events.slept();
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
