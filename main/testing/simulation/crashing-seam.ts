import type { WriteTx } from '../../db/database';
import { BUSY, type WriteOptions, WriteSeam } from '../../db/write-seam';

/** What a simulated process throws when it dies: nothing of the product may catch it and go on. */
export class Crash extends Error {
  constructor() {
    super('the process died');
    this.name = 'Crash';
  }
}

/** The product's own write seam, in a process that can die at any point of a write, or find the database locked. */
export class CrashingSeam extends WriteSeam {
  /** The next writes until the crash, and where in the write it comes; null = none is planned. */
  planned: { writes: number; at: 'before' | 'inside' | 'after' } | null = null;
  /** The next writes until the database is locked, and how many tries find it so. */
  locked: { writes: number; tries: number } | null = null;
  dead = false;
  onCrash: () => void = () => {};

  override tryWrite<T>(fn: (tx: WriteTx) => T, options: WriteOptions = {}): T | typeof BUSY {
    if (this.dead) throw new Crash();
    if (this.#isLocked()) return BUSY;
    const plan = this.planned;
    const now = plan !== null && plan.writes-- <= 0 ? plan.at : null;
    if (now === 'before') this.#die();
    const value = super.tryWrite((tx) => {
      const done = fn(tx);
      if (now === 'inside') this.#die();
      return done;
    }, options);
    if (now === 'after' && value !== BUSY) this.#die();
    return value;
  }

  #isLocked(): boolean {
    if (this.locked === null || this.locked.writes-- > 0) return false;
    if (this.locked.tries-- > 0) return true;
    this.locked = null;
    return false;
  }

  #die(): never {
    this.dead = true;
    this.onCrash();
    throw new Crash();
  }
}
