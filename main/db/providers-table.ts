import type { ProviderId } from '../../shared/model/ids';
import type { ProviderRow } from '../providers/provider-rows';
import { all, type ReadDb, run, type WriteTx } from './database';

export function allProviders(db: ReadDb): ProviderRow[] {
  return all<Omit<ProviderRow, 'fields'> & { fields: string }>(
    db,
    'SELECT id, kind, name, address, origin, fields, created_at AS createdAt FROM providers ORDER BY created_at, id',
  ).map((row) => ({ ...row, fields: JSON.parse(row.fields) as ProviderRow['fields'] }));
}
/** Inserts or replaces. */
export function putProvider(tx: WriteTx, row: ProviderRow): void {
  run(
    tx,
    `INSERT INTO providers (id, kind, name, address, origin, fields, created_at)
     VALUES (:id, :kind, :name, :address, :origin, :fields, :createdAt)
     ON CONFLICT (id) DO UPDATE SET name = :name, address = :address, origin = :origin, fields = :fields`,
    { ...row, fields: JSON.stringify(row.fields) },
  );
}
export function deleteProvider(tx: WriteTx, id: ProviderId): void {
  run(tx, 'DELETE FROM providers WHERE id = :id', { id });
}
