import type { InstanceId, SessionId } from '../../shared/model/ids';
import { one, type ReadDb, run, type WriteTx } from './database';

export type LeaseKind = 'turn' | 'compression';

/** What one look at a lease row saw. Holder = instance and run (attempt id, or turn id for kind `turn`). */
export interface LeaseRow {
  readonly epoch: number;
  readonly instanceId: InstanceId | null;
  readonly runId: number | null;
  readonly renewals: number;
}

export interface LeaseKey {
  readonly session: SessionId;
  readonly kind: LeaseKind;
}
export interface Holding extends LeaseKey {
  readonly instance: InstanceId;
  readonly run: number;
  readonly epoch: number;
}

export function readLease(db: ReadDb, key: LeaseKey): LeaseRow | null {
  return one<LeaseRow>(
    db,
    'SELECT epoch, instance_id AS instanceId, run_id AS runId, renewals FROM leases WHERE session_id = :session AND kind = :kind',
    { session: key.session, kind: key.kind },
  );
}

/** Wall-clock milliseconds since which its holder has it: for words only. null = nobody has. */
export function leaseHeldSince(db: ReadDb, key: LeaseKey): number | null {
  const row = one<{ acquiredAt: number | null }>(
    db,
    `SELECT acquired_at AS acquiredAt FROM leases
     WHERE session_id = :session AND kind = :kind AND instance_id IS NOT NULL`,
    { session: key.session, kind: key.kind },
  );
  return row?.acquiredAt ?? null;
}

/**
 * Takes a free lease, or, with `seen`, takes it over from exactly the holder that was seen (proved dead, or watched
 * still for one TTL). Answers the new epoch, or null where the row says otherwise.
 */
export function acquireLease(
  tx: WriteTx,
  want: LeaseKey & { instance: InstanceId; run: number; now: number },
  seen: LeaseRow | null,
): number | null {
  const row = one<{ epoch: number }>(
    tx,
    `UPDATE leases SET epoch = epoch + 1, instance_id = :instance, run_id = :run, renewals = 0, acquired_at = :now, renewed_at = :now
     WHERE session_id = :session AND kind = :kind
       AND (instance_id IS NULL OR (instance_id = :seenInstance AND run_id = :seenRun AND epoch = :seenEpoch AND renewals = :seenRenewals))
     RETURNING epoch`,
    {
      session: want.session,
      kind: want.kind,
      instance: want.instance,
      run: want.run,
      now: want.now,
      seenInstance: seen?.instanceId ?? null,
      seenRun: seen?.runId ?? null,
      seenEpoch: seen?.epoch ?? null,
      seenRenewals: seen?.renewals ?? null,
    },
  );
  return row?.epoch ?? null;
}

const MINE = 'session_id = :session AND kind = :kind AND instance_id = :instance AND run_id = :run AND epoch = :epoch';
const bound = (holding: Holding) => ({
  session: holding.session,
  kind: holding.kind,
  instance: holding.instance,
  run: holding.run,
  epoch: holding.epoch,
});

/** False = lost: another holder or epoch stands there. */
export function renewLease(tx: WriteTx, holding: Holding, now: number): boolean {
  return (
    run(tx, `UPDATE leases SET renewals = renewals + 1, renewed_at = :now WHERE ${MINE}`, { ...bound(holding), now })
      .changes === 1
  );
}
/** Holder and epoch qualified: false = nothing of mine there, never an error. */
export function releaseLease(tx: WriteTx, holding: Holding): boolean {
  return run(tx, `UPDATE leases SET instance_id = NULL, run_id = NULL WHERE ${MINE}`, bound(holding)).changes === 1;
}
export function holdsLease(db: ReadDb, holding: Holding): boolean {
  return one(db, `SELECT 1 FROM leases WHERE ${MINE}`, bound(holding)) !== null;
}
/** Frees everything a dead instance held. Part of its recovery. */
export function freeLeasesOf(tx: WriteTx, instance: InstanceId): number {
  return run(tx, 'UPDATE leases SET instance_id = NULL, run_id = NULL WHERE instance_id = :instance', { instance })
    .changes;
}
