/** What the attempt machine is in, hears and asks for. */
import type { AttemptOutcome, FailureKind, NothingReason, Strategy } from '../../shared/model/compression';
import type { CancelWhy } from '../hosts/protocol';

export type Phase =
  | { readonly at: 'waiting' }
  | { readonly at: 'acquiring' }
  | { readonly at: 'planning' }
  | { readonly at: 'pruning' }
  /** `part` counts from 1; the fold of all notes is the last part where there is one. */
  | { readonly at: 'summarizing'; readonly part: number; readonly parts: number }
  /** The first model failed: the second one begins once the stream of the first is proved stopped. */
  | { readonly at: 'switching' }
  | { readonly at: 'extracting' }
  | { readonly at: 'checking'; readonly strategy: Strategy }
  /** null = a proposal that was accepted. */
  | { readonly at: 'saving'; readonly strategy: Strategy | null }
  | { readonly at: 'ended'; readonly outcome: AttemptOutcome };

/** What happened to what the attempt built on. */
export type BaseChange = Extract<AttemptOutcome, { kind: 'superseded' }>['by'];

/** Where the stream that was last aborted stands. */
export type Proof = 'none' | 'stopping' | 'killed' | 'written-off';

export interface AttemptState {
  readonly phase: Phase;
  readonly proof: Proof;
  /** Strategies that may still be tried, in turn. */
  readonly row: readonly Strategy[];
  /** True between acquire (or adoption) and release or loss. */
  readonly holds: boolean;
  /** Failure of the last strategy that failed. */
  readonly failure: FailureKind | null;
  /** Parts that `summarize` reads, known once planned. */
  readonly parts: number;
  /** True while a second model may be tried after the first. */
  readonly second: boolean;
  /** The candidate is there already, a proposal that the user accepted: it has only to be saved. */
  readonly ready: boolean;
}

export type Input =
  | { readonly in: 'slot-free' }
  /** The wait for a slot is over; a turn that must be compressed goes on without a model. */
  | { readonly in: 'slot-wait-over'; readonly must: boolean }
  | { readonly in: 'acquired' }
  | { readonly in: 'held'; readonly holder: string }
  /** Kept by an ended attempt of this instance; `adopt` = the need may run extract under it. */
  | { readonly in: 'kept'; readonly adopt: boolean }
  | { readonly in: 'acquire-busy' }
  | { readonly in: 'planned'; readonly parts: number }
  | { readonly in: 'nothing'; readonly reason: NothingReason }
  /** Stubs alone reach the target. */
  | { readonly in: 'pruned' }
  /** They do not: they are only what `summarize` reads. */
  | { readonly in: 'pruned-short'; readonly parts: number }
  | { readonly in: 'part-done' }
  | { readonly in: 'part-failed'; readonly failure: FailureKind; readonly stream: 'settled' | 'running' }
  | { readonly in: 'extracted' }
  | { readonly in: 'accepted' }
  | { readonly in: 'refused'; readonly failure: FailureKind }
  /** The candidate is not smaller than what the view shows now. */
  | { readonly in: 'no-gain' }
  | { readonly in: 'committed'; readonly outcome: AttemptOutcome }
  | { readonly in: 'commit-failed' }
  /** The data thread could not plan, extract or check. */
  | { readonly in: 'data-failed' }
  | { readonly in: 'lease-passed' }
  | { readonly in: 'base-changed'; readonly by: BaseChange }
  | { readonly in: 'skip-model' }
  | { readonly in: 'model-busy' }
  | { readonly in: 'row'; readonly row: readonly Strategy[] }
  | { readonly in: 'cancel'; readonly by: 'user' | 'unwind' | 'quit'; readonly outOfPatience: boolean }
  /** A newer wish, or the user changed what it builds on. */
  | { readonly in: 'supersede'; readonly by: BaseChange }
  | { readonly in: 'lease-lost' }
  | { readonly in: 'stopped' }
  | { readonly in: 'grace-over' }
  | { readonly in: 'unseen' };

export type Effect =
  | { readonly do: 'acquire' }
  | { readonly do: 'plan' }
  | { readonly do: 'prune' }
  | { readonly do: 'open-part'; readonly part: number }
  /** Plan the parts anew for the second model. */
  | { readonly do: 'switch' }
  | { readonly do: 'extract' }
  | { readonly do: 'check'; readonly strategy: Strategy }
  | { readonly do: 'commit' }
  | { readonly do: 'cancel-fence' }
  | { readonly do: 'cancel-stream'; readonly why: CancelWhy }
  | { readonly do: 'kill' }
  | { readonly do: 'write-off' }
  | { readonly do: 'backoff'; readonly strategy: Strategy; readonly failure: FailureKind }
  | { readonly do: 'await-growth'; readonly strategy: Strategy }
  /** Store the outcome (unless the commit did) and tell everybody. */
  | { readonly do: 'end'; readonly outcome: AttemptOutcome }
  | { readonly do: 'release' };

export interface Step {
  readonly state: AttemptState;
  readonly effects: readonly Effect[];
}
