/** Saves what an attempt made: one transaction through its fence, tried again while the database is busy. */
import type { WriteTx } from '../db/database';
import { BUSY, type WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import type { Input } from './attempt-state';
import type { Committed, Refusal } from './commit';
import { type CommitFence, RETRY } from './commit-fence';
import { COMMIT_WAIT } from './policy';

export interface SavingEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly fence: CommitFence;
  note(error: string | null): void;
  dispatch(input: Input): void;
}

export class Saving {
  readonly #env: SavingEnv;
  readonly #transaction: () => ((tx: WriteTx) => Committed) | null;
  #cancelTimer: (() => void) | null = null;
  #refused: Refusal | null = null;

  /** `transaction` is asked for before each try; null = there is nothing to write. */
  constructor(env: SavingEnv, transaction: () => ((tx: WriteTx) => Committed) | null) {
    this.#env = env;
    this.#transaction = transaction;
  }

  /** Why the transaction did not write; null = it was not refused. */
  get refused(): Refusal | null {
    return this.#refused;
  }

  /** Answers by an input of the machine; by none where the fence was cancelled. */
  start(): void {
    const attempt = (delay: number, waited: number) => {
      this.#cancelTimer = null;
      const input = this.#tryOnce();
      if (input === 'busy') {
        if (waited >= COMMIT_WAIT.totalMs) this.#env.dispatch({ in: 'commit-failed' });
        else {
          const next = Math.min(delay * 2, COMMIT_WAIT.mostMs);
          this.#cancelTimer = this.#env.clock.after(delay, () => attempt(next, waited + delay));
        }
      } else if (input) this.#env.dispatch(input);
    };
    attempt(COMMIT_WAIT.firstMs, 0);
  }

  /** No further try is made. */
  end(): void {
    this.#cancelTimer?.();
  }

  /** null = the fence refused: the attempt has ended meanwhile. */
  #tryOnce(): Input | 'busy' | null {
    const { seam, fence } = this.#env;
    const write = this.#transaction();
    if (!write) return { in: 'commit-failed' };
    try {
      const answer = fence.commit(() => {
        const done = seam.tryWrite(write, { durable: true });
        if (done === BUSY) return RETRY;
        if (done.kind === 'committed') return done.outcome;
        this.#refused = done;
        return RETRY;
      });
      switch (answer.kind) {
        case 'committed':
          return { in: 'committed', outcome: answer.value };
        case 'refused':
          return null;
        case 'retry':
          return this.#refused ? inputOf(this.#refused) : 'busy';
      }
    } catch (error) {
      this.#env.note(String(error));
      return { in: 'commit-failed' };
    }
  }
}

function inputOf(refused: Refusal): Input {
  return refused.kind === 'lease-passed' ? { in: 'lease-passed' } : { in: 'base-changed', by: refused.by };
}
