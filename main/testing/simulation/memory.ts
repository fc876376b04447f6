import type { SimulatedStream } from '../simulated-host';

/** Who had a lease when it was looked at last. */
export interface SeenLease {
  readonly epoch: number;
  readonly instance: string | null;
  readonly renewals: number;
  /** World time at the beginning of the step in which the row changed last. */
  readonly since: number;
}

/** What was seen after the last step, to see what a step may not do. */
export interface Memory {
  /** World time when the running step began. */
  stepBegan: number;
  /** Number of the database's last version that was read; null = none. */
  version: number | null;
  /** Text of every message that was complete or partial. */
  readonly settled: Map<string, string>;
  /** Waiting messages of each session, in order. */
  readonly waiting: Map<string, readonly string[]>;
  readonly summaries: Set<number>;
  /** Summaries that were accepted after a review. */
  readonly acceptances: Set<number>;
  /** Summaries that were active. */
  readonly active: Set<number>;
  readonly leases: Map<string, SeenLease>;
  /** Outcomes and ends as they were first read. */
  readonly ends: Map<string, string>;
  /** Attempt that set the backoff of each session. */
  readonly backoffs: Map<string, number>;
  /** Attempts of each session that ended as something a turn counts. */
  readonly spent: Map<string, number>;
  /** The same number when a turn was first seen. */
  readonly spentBefore: Map<number, number>;
  readonly requests: WeakSet<SimulatedStream>;
  /** Steps that were checked. */
  step: number;
  /** Standing pins, by id and version, with the step in which each was seen first. */
  readonly pins: Map<string, number>;
  /** Turns whose request is on its way, with the step in which it was put together. */
  readonly measured: Map<number, number>;
}

export const newMemory = (): Memory => ({
  stepBegan: 0,
  version: null,
  settled: new Map(),
  waiting: new Map(),
  summaries: new Set(),
  acceptances: new Set(),
  active: new Set(),
  leases: new Map(),
  ends: new Map(),
  backoffs: new Map(),
  spent: new Map(),
  spentBefore: new Map(),
  requests: new WeakSet(),
  step: 0,
  pins: new Map(),
  measured: new Map(),
});

/** An invariant that does not hold; its message begins with the invariant's number. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** @throws Broken where it does not hold. `what` begins with the invariant's number. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Broken(what);
}
