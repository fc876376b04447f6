import { all, type ReadDb, run, type WriteTx } from './database';

/** Every stored setting as JSON text by key. */
export function allSettings(db: ReadDb): Record<string, string> {
  const rows = all<{ key: string; value: string }>(db, 'SELECT key, value FROM settings');
  return Object.fromEntries(rows.map((row) => [row.key, row.value]));
}
export function putSetting(tx: WriteTx, key: string, json: string): void {
  run(tx, 'INSERT INTO settings (key, value) VALUES (:key, :json) ON CONFLICT (key) DO UPDATE SET value = :json', {
    key,
    json,
  });
}
