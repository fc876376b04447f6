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
export function otherInstances(db: ReadDb, me: InstanceId): StoredInstance[] {
  return all(
    db,
    'SELECT id, pid, boot_id AS bootId, version, started_at AS startedAt FROM instances WHERE id <> :me ORDER BY started_at',
    { me },
  );
}
