/** Asks for a lease until the database answers: a busy one is tried again for up to five seconds. */
import type { LeaseKey } from '../db/leases-table';
import type { Clock } from '../lib/clock';
import type { Input } from './attempt-state';
import type { HeldLease, Leases } from './lease';

const TRY = { firstMs: 10, mostMs: 320, totalMs: 5_000 } as const;

interface Asking {
  /** Runs one try with all other inputs of the attempt held back until it was answered. */
  exclusive(fn: () => void): void;
  /** Runs in the synchronous step of the durable acquire, before `answer`. */
  arm(lease: HeldLease): void;
  answer(input: Input): void;
}

export class Acquirer {
  readonly #env: { readonly leases: Leases; readonly clock: Clock };
  readonly #key: LeaseKey;
  readonly #run: number;
  #cancelTimer: (() => void) | null = null;

  constructor(env: { readonly leases: Leases; readonly clock: Clock }, key: LeaseKey, run: number) {
    this.#env = env;
    this.#key = key;
    this.#run = run;
  }

  acquire({ exclusive, arm, answer }: Asking): void {
    const attempt = (delay: number, waited: number) => exclusive(() => tryOnce(delay, waited));
    const tryOnce = (delay: number, waited: number): void => {
      const got = this.#env.leases.tryAcquire(this.#key, this.#run, arm);
      switch (got.kind) {
        case 'acquired':
          return answer({ in: 'acquired' });
        case 'held':
          return answer({ in: 'held', holder: got.holder });
        case 'kept':
          return answer({ in: 'kept', adopt: false });
        case 'busy':
          if (waited >= TRY.totalMs) return answer({ in: 'acquire-busy' });
          this.#cancelTimer = this.#env.clock.after(delay, () =>
            attempt(Math.min(delay * 2, TRY.mostMs), waited + delay),
          );
      }
    };
    attempt(TRY.firstMs, 0);
  }

  /** No further try is made. */
  end(): void {
    this.#cancelTimer?.();
  }
}
