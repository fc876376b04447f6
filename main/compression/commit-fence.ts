/**
 * The commit fence: decides, once, whether an attempt may still write (holds I2 and I3).
 *
 *   open -> committing -> committed          open -> cancelled
 *   committing -> open   (the transaction rolled back: between two tries a cancel wins)
 *
 * committed and cancelled are final. The fence has no clock: patience ends streams, only the end of the attempt ends
 * the fence.
 */
export type FenceState = 'open' | 'committing' | 'committed' | 'cancelled';
export type CancelAnswer = 'cancelled' | 'already-cancelled' | 'commit-started';
export type CommitAnswer<T> =
  | { readonly kind: 'committed'; readonly value: T }
  /** Cancelled before; nothing was run. */
  | { readonly kind: 'refused' }
  /** `fn` answered `retry`: nothing was written, the fence is open again. */
  | { readonly kind: 'retry' };

/** What the transaction answers when it wrote nothing and may be tried again. */
export const RETRY = Symbol('retry');

export class CommitFence {
  #state: FenceState = 'open';

  get state(): FenceState {
    return this.#state;
  }

  /** Revokes admission. Inside the transaction and ever after a commit it is too late: `commit-started`. */
  cancel(): CancelAnswer {
    switch (this.#state) {
      case 'open':
        this.#state = 'cancelled';
        return 'cancelled';
      case 'cancelled':
        return 'already-cancelled';
      case 'committing':
      case 'committed':
        return 'commit-started';
    }
  }

  /**
   * Runs the synchronous transaction inside the fence. When `fn` throws, nothing was written: the fence is open again
   * and the error goes on to the caller.
   */
  commit<T>(fn: () => T | typeof RETRY): CommitAnswer<T> {
    if (this.#state !== 'open') return { kind: 'refused' };
    this.#state = 'committing';
    try {
      const value = fn();
      this.#state = value === RETRY ? 'open' : 'committed';
      return value === RETRY ? { kind: 'retry' } : { kind: 'committed', value };
    } catch (error) {
      this.#state = 'open';
      throw error;
    }
  }
}
