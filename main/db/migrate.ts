import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { isFull, type WriteDb } from './database';
import { first } from './migrations/0001-first';
import { tools } from './migrations/0002-tools';

/** Numbered and immutable: position in this list + 1 is the schema's number (PRAGMA user_version). */
export const migrations: readonly string[] = [first, tools];

const FULL =
  'The disk is full: there is no room to bring your conversations to this version. Free some space and start again; nothing was changed.';

/**
 * Brings the schema to the newest number, each step in one transaction. A file that already holds data is
 * copied first, to `<file>.before-<number>`. Does nothing where the schema is current.
 * @throws Error where the file was written by a newer version, or the disk is full: nothing is changed then.
 */
export function migrate(db: WriteDb, file: string, steps: readonly string[] = migrations): void {
  const version = versionOf(db);
  if (version > steps.length) throw new Error(`the database has schema ${version}, this version knows ${steps.length}`);
  if (version === steps.length) return;
  try {
    if (version > 0) backUp(db, `${file}.before-${steps.length}`, version);
    takeSteps(db, version, steps);
  } catch (error) {
    throw isFull(error) ? new Error(FULL, { cause: error }) : error;
  }
}

function takeSteps(db: WriteDb, version: number, steps: readonly string[]): void {
  for (let number = version; number < steps.length; number++) {
    db.exec('BEGIN EXCLUSIVE');
    try {
      if (versionOf(db) === number) {
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

/**
 * A whole copy appears under its name at once, or not at all: a death in the middle leaves only a part that the next
 * start writes anew. SQLite makes it, from one snapshot with the log: a copy of the file would lack what is in the log,
 * and closing the file would drop this process's locks on it (POSIX) while another instance may use it.
 */
function backUp(db: WriteDb, backup: string, version: number): void {
  const part = `${backup}.part`;
  rmSync(part, { force: true });
  try {
    db.prepare('VACUUM INTO ?').run(part);
    const copy = new Database(part, { readonly: true });
    const copied = versionOf(copy);
    copy.close();
    if (copied !== version) return; // another instance has migrated meanwhile, after its own backup
    sync(part, 'r+');
    renameSync(part, backup);
    if (process.platform !== 'win32') sync(dirname(backup), 'r'); // Windows has no such call for folders
  } finally {
    rmSync(part, { force: true });
  }
}

function versionOf(db: Database.Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const opened = openSync(path, flags);
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
