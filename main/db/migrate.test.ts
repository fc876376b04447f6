import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../lib/clock';
import { TempProfile } from '../testing/profile';
import { tinyDisk } from '../testing/tiny-disk';
import type { WriteDb } from './database';
import { migrate, migrations } from './migrate';
import { openForReading, openForWriting } from './open';
import { allSettings, putSetting } from './settings-table';
import { WriteSeam } from './write-seam';

test('a new file gets the whole schema and its pragmas', () => {
  const profile = new TempProfile();
  const db = openForWriting(profile.database);
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(db.pragma('page_size', { simple: true })).toBe(16_384);
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
  expect(db.pragma('secure_delete', { simple: true })).toBe(1);
  db.close();
  profile.remove();
});

test('S57 a migration copies the old file first; one that fails leaves everything as it was', () => {
  const profile = new TempProfile();
  const db = openForWriting(profile.database);
  new WriteSeam(db, systemClock).tryWrite((tx) => putSetting(tx, 'kept', '1'));
  const next = [...migrations, 'CREATE TABLE later (x INTEGER) STRICT; SELECT no_such_function();'];
  expect(() => migrate(db, profile.database, next)).toThrow();
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  expect(db.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'later'`).pluck().get()).toBe(0);
  expect(allSettings(db)).toEqual({ kept: '1' });
  migrate(db, profile.database, [...migrations, 'CREATE TABLE later (x INTEGER) STRICT;']);
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length + 1);
  db.close();
  const backup = `${profile.database}.before-${migrations.length + 1}`;
  expect(existsSync(backup)).toBe(true);
  copyFileSync(backup, profile.database);
  const old = new Database(profile.database) as unknown as WriteDb;
  expect(allSettings(old)).toEqual({ kept: '1' });
  old.close();
  profile.remove();
});

test('S57 the copy holds what is still in the log, and what a death left half is written anew', () => {
  const profile = new TempProfile();
  const db = openForWriting(profile.database);
  const seam = new WriteSeam(db, systemClock);
  seam.tryWrite((tx) => putSetting(tx, 'in the file', '1'));
  // another instance reads: no checkpoint can bring the rest into the file
  const reader = openForReading(profile.database);
  reader.exec('BEGIN');
  allSettings(reader);
  seam.tryWrite((tx) => putSetting(tx, 'in the log', '2'));
  const backup = `${profile.database}.before-${migrations.length + 1}`;
  writeFileSync(`${backup}.part`, 'half');
  writeFileSync(backup, 'of an upgrade that was taken back long ago');
  migrate(db, profile.database, [...migrations, 'CREATE TABLE later (x INTEGER) STRICT;']);
  const old = new Database(backup) as unknown as WriteDb;
  expect(old.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(old.pragma('user_version', { simple: true })).toBe(migrations.length);
  expect(allSettings(old)).toEqual({ 'in the file': '1', 'in the log': '2' });
  expect(existsSync(`${backup}.part`)).toBe(false);
  for (const each of [old, reader, db]) each.close();
  profile.remove();
});

describe('S56 a full disk while the file is copied before a migration', () => {
  const next = [...migrations, 'CREATE TABLE later (x INTEGER) STRICT;'];
  const backupOf = (file: string) => `${file}.before-${next.length}`;
  /** Nothing was migrated, the earlier copy is whole, no half of a new one lies about, and the file is in use as before. */
  const expectUnchanged = (db: WriteDb, file: string) => {
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(allSettings(db)).toEqual({ kept: '1' });
    expect(readFileSync(backupOf(file), 'utf8')).toBe('an earlier copy');
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.part'))).toEqual([]);
    const wrote = new WriteSeam(db, systemClock).tryWrite((tx) => putSetting(tx, 'kept', '2'));
    expect([wrote, allSettings(db)]).toEqual([undefined, { kept: '2' }]);
  };

  test('leaves the file and the earlier copy as they were, and says what to do', () => {
    const profile = new TempProfile();
    const db = openForWriting(profile.database);
    new WriteSeam(db, systemClock).tryWrite((tx) => putSetting(tx, 'kept', '1'));
    writeFileSync(backupOf(profile.database), 'an earlier copy');
    // half of the copy is written, and then there is no room for the rest
    const full = Object.create(db, {
      prepare: {
        value: (sql: string) => ({
          run: (part: string) => {
            expect(sql).toBe('VACUUM INTO ?');
            writeFileSync(part, 'half');
            throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
          },
        }),
      },
      pragma: { value: db.pragma.bind(db) },
    }) as WriteDb;
    expect(() => migrate(full, profile.database, next)).toThrow(/disk is full.*nothing was changed/i);
    expectUnchanged(db, profile.database);
    db.close();
    profile.remove();
  });

  test('the same on a disk that is full', (context) => {
    const disk = tinyDisk(8_000_000);
    if (!disk) return context.skip('only root on Linux may make a disk of its own');
    const file = join(disk.folder, 'palimpsest.db');
    const rest = join(disk.folder, 'rest');
    const db = openForWriting(file);
    try {
      new WriteSeam(db, systemClock).tryWrite((tx) => putSetting(tx, 'kept', '1'));
      writeFileSync(backupOf(file), 'an earlier copy');
      expect(() => writeFileSync(rest, Buffer.alloc(8_000_000))).toThrow(/ENOSPC/);
      truncateSync(rest, statSync(rest).size - 100_000); // the copy begins, and does not end
      expect(() => migrate(db, file, next)).toThrow(/disk is full.*nothing was changed/i);
      rmSync(rest);
      expectUnchanged(db, file);
    } finally {
      db.close();
      disk.remove();
    }
  });
});

/** A database of each schema that a release wrote, as SQL. */
const OLDER = join(import.meta.dirname, 'migrations', 'older');
const older = readdirSync(OLDER).map((name) => [Number.parseInt(name, 10), join(OLDER, name)] as const);

test('there is a stored copy of every older schema', () => {
  expect(older.map(([number]) => number)).toEqual(migrations.slice(1).map((_, index) => index + 1));
});

test.each(older)('S57 a stored copy of schema %i becomes the newest one, with all that is in it', (number, file) => {
  const profile = new TempProfile();
  const made = new Database(profile.database);
  made.exec(readFileSync(file, 'utf8'));
  const rows = contentsOf(made);
  made.close();
  const db = openForWriting(profile.database);
  const fresh = openForWriting(join(profile.folder, 'new.db'));
  expect(schemaOf(db)).toEqual(schemaOf(fresh));
  expect(contentsOf(db)).toMatchObject(rows);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('foreign_key_check')).toEqual([]);
  expect(
    db.prepare(`SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'words'`).pluck().get(),
  ).toBeGreaterThan(0);
  const backup = new Database(`${profile.database}.before-${migrations.length}`);
  expect(backup.pragma('user_version', { simple: true })).toBe(number);
  expect(contentsOf(backup)).toEqual(rows);
  for (const each of [db, fresh, backup]) each.close();
  profile.remove();
});

function schemaOf(db: Database.Database): unknown[] {
  return db.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name').all();
}
function contentsOf(db: Database.Database): Record<string, unknown[]> {
  const names = db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'messages_fts%' AND name NOT LIKE 'sqlite_%'`,
    )
    .pluck()
    .all() as string[];
  return Object.fromEntries(names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]));
}

test('a file of a newer version is refused and left alone', () => {
  const profile = new TempProfile();
  const db = openForWriting(profile.database);
  db.pragma(`user_version = ${migrations.length + 5}`);
  db.close();
  expect(() => openForWriting(profile.database)).toThrow(/schema/);
  profile.remove();
});
