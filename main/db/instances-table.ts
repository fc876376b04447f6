import type { InstanceId } from '../../shared/model/ids';
import { all, type ReadDb, run, type WriteTx } from './database';

export interface StoredInstance {
  readonly id: InstanceId;
  /** For words only: proof of life is the lock file. */
  readonly pid: number;
  readonly bootId: string;
  readonly version: string;
  readonly startedAt: number;
}

export function insertInstance(tx: WriteTx, instance: StoredInstance): void {
  run(
    tx,
    'INSERT INTO instances (id, pid, boot_id, version, started_at) VALUES (:id, :pid, :bootId, :version, :startedAt)',
    { ...instance },
  );
}
export function removeInstance(tx: WriteTx, id: InstanceId): void {
  run(tx, 'DELETE FROM instances WHERE id = :id', { id });
}
/**
 * Every other instance that has left a trace: its row, a lease, an attempt or a turn that runs. One whose row could not be
 * written (the disk was full when it started) works all the same, and its end has to be found.
 */
export function otherInstances(db: ReadDb, me: InstanceId): InstanceId[] {
  return all<{ id: InstanceId }>(
    db,
    `SELECT id FROM instances WHERE id <> :me
     UNION SELECT instance_id FROM leases WHERE instance_id IS NOT NULL AND instance_id <> :me
     UNION SELECT instance_id FROM attempts WHERE outcome IS NULL AND instance_id <> :me
     UNION SELECT instance_id FROM turns WHERE ended_at IS NULL AND state <> 'deferred' AND instance_id <> :me`,
    { me },
  ).map(({ id }) => id);
}
