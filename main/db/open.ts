import Database from 'better-sqlite3';
import type { ReadDb, WriteDb } from './database';
import { migrate } from './migrate';

/** "Plmp": marks the file as ours (PRAGMA application_id). */
const APPLICATION_ID = 0x506c6d70;
const PAGE_SIZE = 16_384;
/** Bytes to which SQLite cuts the log after a checkpoint. */
const JOURNAL_LIMIT = 16_777_216;

/**
 * Opens the profile's database for writing and brings its schema up to date.
 * busy_timeout is 0: the write seam waits by a timer, never by blocking main's thread.
 * @throws SqliteError where the file is not a database or belongs to a newer version.
 */
export function openForWriting(file: string): WriteDb {
  const db = new Database(file, { timeout: 0 });
  try {
    db.pragma('busy_timeout = 5000'); // another start may be migrating: waiting here is before any window
    db.pragma(`page_size = ${PAGE_SIZE}`);
    if (db.pragma('application_id', { simple: true }) === 0) db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma('journal_mode = WAL');
    connectionPragmas(db);
    db.pragma('secure_delete = ON');
    db.pragma('wal_autocheckpoint = 0');
    migrate(db as unknown as WriteDb, file);
    db.pragma('busy_timeout = 0');
    return db as unknown as WriteDb;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the same file for reading, for the data thread; a blocked read waits up to 5 s there. */
export function openForReading(file: string): ReadDb {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
  db.pragma('foreign_keys = ON');
  return db as unknown as ReadDb;
}

/** A connection that only makes passive checkpoints, on the data thread. */
export function openForCheckpoints(file: string): WriteDb {
  const db = new Database(file, { fileMustExist: true, timeout: 0 });
  connectionPragmas(db);
  db.pragma('wal_autocheckpoint = 0');
  return db as unknown as WriteDb;
}

function connectionPragmas(db: Database.Database): void {
  db.pragma('foreign_keys = ON');
  db.pragma(`journal_size_limit = ${JOURNAL_LIMIT}`);
  if (process.platform === 'darwin') {
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
  }
}
