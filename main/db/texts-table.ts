import { createHash } from 'node:crypto';
import { one, type ReadDb, run, type WriteTx } from './database';

/** Keeps a text that recipes name by its hash; answers the hash. */
export function putText(tx: WriteTx, text: string): Buffer {
  const hash = createHash('sha256').update(text).digest();
  run(tx, 'INSERT INTO texts (hash, text) VALUES (:hash, :text) ON CONFLICT DO NOTHING', { hash, text });
  return hash;
}
/** Only for texts that nothing else can name. */
export function removeText(tx: WriteTx, hash: Buffer): void {
  run(tx, 'DELETE FROM texts WHERE hash = :hash', { hash });
}
export function getText(db: ReadDb, hash: Buffer): string | null {
  return one<{ text: string }>(db, 'SELECT text FROM texts WHERE hash = :hash', { hash })?.text ?? null;
}
