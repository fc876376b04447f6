/**
 * The writes of one turn: each looks, in its own transaction, whether the turn's lease is still its own. A process that
 * stood still for so long that another window ended its turn finds out by its first write, and adds nothing (holds I1, I7).
 */
import type { HeldLease } from '../compression/lease';
import type { WriteTx } from '../db/database';
import { holdsLease } from '../db/leases-table';
import type { WriteSeam } from '../db/write-seam';

export interface TurnWrites extends Pick<WriteSeam, 'db' | 'write' | 'persist'> {
  /** For what is a fact of a request that has left, whoever runs the turn by now: it is not fenced. */
  readonly report: WriteSeam['persist'];
}

/** The turn was ended by another window meanwhile. */
export class TurnTaken extends Error {
  constructor() {
    super('another window has ended this turn');
    this.name = 'TurnTaken';
  }
}

/** @throws TurnTaken, from `write` and `persist`, once the lease is another's; the lease is told. */
export function fencedWrites(seam: WriteSeam, lease: HeldLease): TurnWrites {
  const fenced =
    <T>(fn: (tx: WriteTx) => T) =>
    (tx: WriteTx): T => {
      if (!holdsLease(tx, lease.holding)) throw new TurnTaken();
      return fn(tx);
    };
  const told = (error: unknown): never => {
    if (error instanceof TurnTaken) lease.look(); // which ends the run
    throw error;
  };
  return {
    db: seam.db,
    write: (queue, fn, options) => seam.write(queue, fenced(fn), options).catch(told),
    persist: (queue, fn, options) => seam.persist(queue, fenced(fn), options).catch(told),
    report: (queue, fn, options) => seam.persist(queue, fn, options),
  };
}
