import { AppError } from '../../shared/errors';
import type { Clock } from '../lib/clock';
import { isBusy, isFull, type WriteDb, type WriteTx } from './database';

/** What `tryWrite` answers when another connection holds the write lock. */
export const BUSY = Symbol('busy');

export interface WriteOptions {
  /** FULL: on disk when the call returns. For user messages, summaries and leases' commits. */
  readonly durable?: boolean;
  /** Goes before waiting writes of other queues: releases and user messages. */
  readonly first?: boolean;
}

interface Waiting {
  readonly queue: string;
  readonly first: boolean;
  /** It is never given up. */
  readonly stays: boolean;
  /** Milliseconds of waiting so far, sleep of the machine left out. */
  waited: number;
  /** Runs the write; false = busy. */
  attempt(): boolean;
  giveUp(): void;
}

const WAIT_MS = { first: 10, most: 320, total: 5_000 } as const;

/**
 * The one way to write. `tryWrite` is one synchronous BEGIN IMMEDIATE; `write` tries again by a timer while
 * another connection holds the lock, and keeps the order of one queue (a session). Nothing is awaited inside a
 * transaction and nothing here ever blocks.
 */
export class WriteSeam {
  readonly #db: WriteDb;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #delay: number = WAIT_MS.first;
  #cancelTimer: (() => void) | null = null;
  #full: boolean | null = null;
  /** Why what stays was refused last, where the database was not busy: the disk is full. */
  #refused: AppError | null = null;
  #writes = 0;
  #onWrite: () => void = () => {};

  constructor(db: WriteDb, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** For reading on the writing connection. */
  get db(): WriteDb {
    return this.#db;
  }

  /** Transactions committed so far: tells the checkpointer that something was written. */
  get writes(): number {
    return this.#writes;
  }

  /** Called after each commit: by the one who makes checkpoints. */
  onWrite(fn: () => void): void {
    this.#onWrite = fn;
  }

  /** @throws whatever `fn` throws, after rolling back; AppError `disk-full`. */
  tryWrite<T>(fn: (tx: WriteTx) => T, options: WriteOptions = {}): T | typeof BUSY {
    const full = options.durable === true;
    try {
      if (this.#full !== full) this.#db.pragma(`synchronous = ${full ? 'FULL' : 'NORMAL'}`);
      this.#full = full;
      this.#db.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (isBusy(error)) return BUSY;
      throw error;
    }
    try {
      const value = fn(this.#db as unknown as WriteTx);
      this.#db.exec('COMMIT');
      this.#writes++;
      this.#onWrite();
      return value;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      if (isBusy(error)) return BUSY;
      if (isFull(error)) throw new AppError('disk-full', {}, error);
      throw error;
    }
  }

  /** Resolves with `fn`'s value. @throws AppError `busy` after 5 s, `disk-full`, or what `fn` throws. */
  write<T>(queue: string, fn: (tx: WriteTx) => T, options: WriteOptions = {}): Promise<T> {
    return this.#submit(queue, fn, options, false);
  }

  /**
   * A write that must not be given up: the end of an answer, of a turn, of an attempt, a release. It keeps its place while
   * the database is busy or the disk is full. Rejects only with a fault of `fn`, or once it is closed.
   */
  persist<T>(queue: string, fn: (tx: WriteTx) => T, options: WriteOptions = {}): Promise<T> {
    return this.#submit(queue, fn, options, true);
  }

  #submit<T>(queue: string, fn: (tx: WriteTx) => T, options: WriteOptions, stays: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const attempt = (): boolean => {
        try {
          const value = this.tryWrite(fn, options);
          if (value === BUSY) return false;
          this.#refused = null;
          resolve(value as T);
        } catch (error) {
          if (stays && error instanceof AppError && this.#db.open) {
            this.#refused = error;
            return false;
          }
          reject(error);
        }
        return true;
      };
      if (!this.#waiting.some((one) => one.queue === queue) && attempt()) return;
      const giveUp = () => reject(this.#refused ?? new AppError('busy'));
      this.#waiting.push({ queue, first: options.first === true, stays, waited: 0, attempt, giveUp });
      this.#arm();
    });
  }

  #arm(): void {
    if (this.#cancelTimer || this.#waiting.length === 0) return;
    this.#cancelTimer = this.#clock.after(this.#delay, () => {
      this.#cancelTimer = null;
      this.#delay = this.#drain() ? WAIT_MS.first : Math.min(this.#delay * 2, WAIT_MS.most);
      this.#arm();
    });
  }

  /** True when nothing was busy any more. */
  #drain(): boolean {
    const blocked = new Set<string>();
    const order = [...this.#waiting.filter((one) => one.first), ...this.#waiting.filter((one) => !one.first)];
    let busy = false;
    for (const one of order) {
      const isNext = this.#waiting.find((other) => other.queue === one.queue) === one; // order within a queue
      if (isNext && !blocked.has(one.queue)) {
        if (one.attempt()) {
          this.#remove(one);
          continue;
        }
        busy = true;
        blocked.add(one.queue);
      }
      one.waited += this.#delay;
      if (one.stays || one.waited < WAIT_MS.total) continue;
      this.#remove(one);
      one.giveUp();
    }
    return !busy;
  }

  #remove(one: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(one), 1);
  }
}
