import { all, one, type ReadDb, run, type WriteTx } from './database';

/** Ciphertext only: see settings/secrets. */
export function getSecret(db: ReadDb, owner: string, name: string): Buffer | null {
  return (
    one<{ ciphertext: Buffer }>(db, 'SELECT ciphertext FROM secrets WHERE owner = :owner AND name = :name', {
      owner,
      name,
    })?.ciphertext ?? null
  );
}
export function putSecret(tx: WriteTx, owner: string, name: string, ciphertext: Buffer): void {
  run(
    tx,
    `INSERT INTO secrets (owner, name, ciphertext) VALUES (:owner, :name, :ciphertext)
     ON CONFLICT (owner, name) DO UPDATE SET ciphertext = :ciphertext`,
    { owner, name, ciphertext },
  );
}
export function removeSecret(tx: WriteTx, owner: string, name: string): void {
  run(tx, 'DELETE FROM secrets WHERE owner = :owner AND name = :name', { owner, name });
}
export function secretNames(db: ReadDb, owner: string): string[] {
  return all<{ name: string }>(db, 'SELECT name FROM secrets WHERE owner = :owner ORDER BY name', { owner }).map(
    ({ name }) => name,
  );
}
