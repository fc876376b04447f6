import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;
let now = Date.now();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of [...listeners]) each();
    }, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}

const stand = () => () => undefined;

/**
 * Wall-clock milliseconds, moving once a second. One timer serves all clocks and countdowns of a window, so that
 * they tick together, and it runs only while something counts: pass false for a clock that stands.
 */
export function useNow(counting = true): number {
  return useSyncExternalStore(counting ? listen : stand, () => (listeners.size > 0 ? now : standing()));
}

// A snapshot must not change between two reads of one render, so the standing time is read once a second at most.
function standing(): number {
  const fresh = Date.now();
  if (fresh - now > 1_000) now = fresh;
  return now;
}
