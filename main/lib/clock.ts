/** The only source of time. Monotonic time decides waits; wall time is for display and stored deadlines. */
export interface Clock {
  /** Wall-clock milliseconds since 1970. */
  wall(): number;
  /** Milliseconds that never jump; they may stand still while the machine sleeps. */
  monotonic(): number;
  /** Calls `fn` once after `ms`; answers the way to take it back. */
  after(ms: number, fn: () => void): () => void;
  /** Calls `fn` in a later turn of the event loop, after everything that has arrived by now was handled. */
  nextTurn(fn: () => void): void;
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
  nextTurn: (fn) => {
    setImmediate(fn);
  },
};
