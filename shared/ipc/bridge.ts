import type { Numbered } from './events';
import type { Reply } from './reply';

/** What the preload puts on `window.palimpsest`: two functions, nothing else. */
export interface Bridge {
  /** `File` objects in the input are taken out; their number stays and their paths travel apart. */
  request(route: string, input: unknown): Promise<Reply<unknown>>;
  /** Calls the listener with each batch of events; answers the way to stop. */
  subscribe(listener: (events: readonly Numbered[]) => void): () => void;
}

export const CHANNELS = { request: 'palimpsest:request', events: 'palimpsest:events' } as const;
