import Database from 'better-sqlite3';

/** A connection that may be read from. */
export type ReadDb = Database.Database & { readonly __read: true };
/** The writing connection inside an open transaction: only the write seam hands it out. */
export type WriteTx = ReadDb & { readonly __tx: true };
/** The writing connection outside a transaction. It may be read from; writing goes through the seam. */
export type WriteDb = ReadDb & { readonly __write: true };

export type Row = Record<string, unknown>;
type Bound = Record<string, string | number | Buffer | null>;

const statements = new WeakMap<Database.Database, Map<string, Database.Statement>>();

function prepared(db: ReadDb, sql: string): Database.Statement {
  let cache = statements.get(db);
  if (!cache) {
    cache = new Map();
    statements.set(db, cache);
  }
  let statement = cache.get(sql);
  if (!statement) {
    statement = db.prepare(sql);
    cache.set(sql, statement);
  }
  return statement;
}

/** First row, or null. */
export function one<T = Row>(db: ReadDb, sql: string, bound: Bound = {}): T | null {
  return (prepared(db, sql).get(bound) as T | undefined) ?? null;
}
/** All rows: for results whose size is bounded. */
export function all<T = Row>(db: ReadDb, sql: string, bound: Bound = {}): T[] {
  return prepared(db, sql).all(bound) as T[];
}
/** Row by row: for results that may be large. It must be read to its end, or left by `break`, in the same step. */
export function each<T = Row>(db: ReadDb, sql: string, bound: Bound = {}): IterableIterator<T> {
  return prepared(db, sql).iterate(bound) as IterableIterator<T>;
}
/** What `fn` reads is of one moment, whatever other connections commit meanwhile. It only reads, and awaits nothing. */
export function ofOneMoment<T>(db: ReadDb, fn: () => T): T {
  return db.transaction(fn)();
}
/** Number of changed rows and the last row id. */
export function run(tx: WriteTx, sql: string, bound: Bound = {}): { changes: number; rowid: number } {
  const result = prepared(tx, sql).run(bound);
  return { changes: result.changes, rowid: Number(result.lastInsertRowid) };
}

/** SQLite's own code of an error (`SQLITE_BUSY`, …), or null for any other error. */
export function sqliteCode(error: unknown): string | null {
  return error instanceof Database.SqliteError ? error.code : null;
}
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_FULL';
}
