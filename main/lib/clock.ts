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

/** A timer that comes this much too late was held up by sleep, or by a process that stood still. Milliseconds. */
export const LATE_MS = 5_000;
/** Wall and monotonic time that drift apart by this much: it slept, or somebody set the clock. Milliseconds. */
export const DRIFT_MS = 2_000;

/**
 * `after` for patience: time that passed while the machine slept, or this process stood still, was nobody's to use.
 * Where the timer comes over `LATE_MS` too late it is armed anew for the whole of `ms`.
 */
export function patiently(clock: Clock, ms: number, fn: () => void): () => void {
  let cancel = () => {};
  const arm = () => {
    const due = clock.monotonic() + ms;
    cancel = clock.after(ms, () => (clock.monotonic() - due > LATE_MS ? arm() : fn()));
  };
  arm();
  return () => cancel();
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
