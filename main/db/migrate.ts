import { copyFileSync, existsSync } from 'node:fs';
import type { WriteDb } from './database';
import { first } from './migrations/0001-first';

/** Numbered and immutable: position in this list + 1 is the schema's number (PRAGMA user_version). */
export const migrations: readonly string[] = [first];

/**
 * Brings the schema to the newest number, each step in one transaction. A file that already holds data is
 * copied first, to `<file>.before-<number>`. Does nothing where the schema is current.
 * @throws Error where the file was written by a newer version: nothing is changed then.
 */
export function migrate(db: WriteDb, file: string, steps: readonly string[] = migrations): void {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version > steps.length) throw new Error(`the database has schema ${version}, this version knows ${steps.length}`);
  if (version === steps.length) return;
  if (version > 0) {
    db.pragma('wal_checkpoint(TRUNCATE)');
    const backup = `${file}.before-${steps.length}`;
    if (!existsSync(backup)) copyFileSync(file, backup);
  }
  for (let number = version; number < steps.length; number++) {
    db.exec('BEGIN EXCLUSIVE');
    try {
      const now = db.pragma('user_version', { simple: true }) as number;
      if (now === number) {
        // another instance may have migrated while this one waited
        db.exec(steps[number] ?? '');
        db.pragma(`user_version = ${number + 1}`);
      }
      db.exec('COMMIT');
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
}
