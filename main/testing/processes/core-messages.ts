import type { AppEvent } from '../../../shared/ipc/events';
import type { Reply } from '../../../shared/ipc/reply';
import type { Kill } from '../crash/kill-points';

/** What a process of the product's core is started with, as JSON in its first argument. */
export interface CoreStart {
  readonly profile: string;
  /** Built entries. */
  readonly dataThread: string;
  readonly host: string;
  /** Where it dies; null = it lives until it is told to end. */
  readonly kill: Kill | null;
  /** One migration more than the product has. */
  readonly oneMoreStep: boolean;
}

export type ToCore =
  | { readonly t: 'ask'; readonly id: number; readonly route: string; readonly input: unknown }
  | { readonly t: 'quit' };

/** `wall`: the process's wall clock, which is the test's too. */
export type FromCore =
  | { readonly t: 'ready' }
  | { readonly t: 'reply'; readonly id: number; readonly reply: Reply<unknown> }
  | { readonly t: 'event'; readonly event: AppEvent; readonly wall: number }
  | { readonly t: 'log'; readonly line: string };
