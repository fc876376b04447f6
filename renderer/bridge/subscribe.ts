import type { Numbered } from '../../shared/ipc/events';

/** Hears main's events in batches, in order. Answers the way to stop. */
export function subscribe(listener: (events: readonly Numbered[]) => void): () => void {
  return window.palimpsest.subscribe(listener);
}
