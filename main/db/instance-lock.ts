import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { InstanceId } from '../../shared/model/ids';
import { isBusy } from './database';

/** An exclusive SQLite transaction on an instance's lock file, kept for life: whoever can take it has proof of death. */
export interface HeldLock {
  /** Lets go. `remove` takes the file away too: only after the row is gone. */
  release(remove: boolean): void;
}

const fileOf = (folder: string, id: InstanceId) => join(folder, `${id}.lock`);

/**
 * Opens such a file in the only allowed way (POSIX drops all locks of a process on a file when any descriptor of it
 * closes). The reference in the answer must be kept: a collected handle would let go.
 * @throws SqliteError `SQLITE_BUSY` where a living process holds it.
 */
function lock(file: string): HeldLock {
  const db = new Database(file, { timeout: 0 });
  try {
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    release(remove) {
      db.close();
      if (remove) for (const suffix of ['', '-journal']) rmSync(file + suffix, { force: true });
    },
  };
}

/** Takes this instance's own lock, before its `instances` row is written. Ids are never used twice. */
export function lockOwnInstance(folder: string, id: InstanceId): HeldLock {
  mkdirSync(folder, { recursive: true });
  return lock(fileOf(folder, id));
}

/** Takes a file of the profile for as long as it is held; null = another living process has it. */
export function lockFile(file: string): HeldLock | null {
  try {
    return lock(file);
  } catch (error) {
    if (isBusy(error)) return null;
    throw error;
  }
}

export type Death = { readonly dead: false } | { readonly dead: true; readonly lock: HeldLock };

/**
 * Asks whether another instance is dead. A row without a lock file is dead. Who gets the lock keeps it until its
 * recovery is committed, then releases it with `remove`. Never ask about the own id.
 */
export function proveDead(folder: string, id: InstanceId): Death {
  const file = fileOf(folder, id);
  if (!existsSync(file)) return { dead: true, lock: { release: () => {} } };
  try {
    return { dead: true, lock: lock(file) };
  } catch (error) {
    if (isBusy(error)) return { dead: false };
    throw error;
  }
}
