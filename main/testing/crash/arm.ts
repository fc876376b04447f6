/**
 * Arms the death of this process at a named point: SIGKILL, in the middle of what the product does. It listens at the
 * database's own door (statements, BEGIN, COMMIT) and at the rename of files, so that the product has no hook for it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
// biome-ignore lint/style/noRestrictedImports: no SQL: it only listens to what main/db says
import Database from 'better-sqlite3';
import { systemClock } from '../../lib/clock';
import { type Kill, type KillPoint, type KillTime, transactions } from './kill-points';

/** Says when it dies, in one synchronous write, and is gone. */
function die(kill: Kill): never {
  fs.writeSync(1, `${JSON.stringify({ died: kill, wall: systemClock.wall() })}\n`);
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

export function arm(kill: Kill): void {
  let left = kill.nth;
  /** Dies where this is the occurrence that was asked for, at `at`. Only `at` of the last one counts down. */
  const reached = (point: KillPoint, at: KillTime, undo: () => void = () => {}): void => {
    if (point !== kill.point) return;
    if (at === kill.at && left === 1) {
      undo();
      die(kill);
    }
    if (at === 'after') left--;
  };
  listenToDatabase(reached);
  listenToRenames(reached);
}

type Reached = (point: KillPoint, at: KillTime, undo?: () => void) => void;

function listenToDatabase(reached: Reached): void {
  const { exec, prepare } = Database.prototype;
  const seen = new WeakMap<Database.Database, string[]>();
  const ofProfile = (db: Database.Database) => db.name.endsWith('palimpsest.db');

  Database.prototype.exec = function (this: Database.Database, sql) {
    if (!ofProfile(this)) return exec.call(this, sql);
    if (sql === 'BEGIN IMMEDIATE') {
      seen.set(this, []);
      return exec.call(this, sql);
    }
    if (sql === 'BEGIN EXCLUSIVE') {
      reached('migration step', 'before');
      seen.delete(this);
      return exec.call(this, sql);
    }
    if (sql !== 'COMMIT') return exec.call(this, sql);
    const statements = seen.get(this);
    const names = statements
      ? Object.entries(transactions).flatMap(([name, is]) => (is(statements) ? [name as KillPoint] : []))
      : (['migration step'] as const);
    // what a transaction is shows at its end only: "before" is as if it had never begun
    for (const name of names) if (statements) reached(name, 'before', () => exec.call(this, 'ROLLBACK'));
    for (const name of names) reached(name, 'inside');
    const done = exec.call(this, sql);
    for (const name of names) reached(name, 'after');
    return done;
  };

  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql) as Database.Statement<unknown[]>;
    if (sql.startsWith('VACUUM INTO')) {
      const run = statement.run.bind(statement);
      statement.run = (...bound) => {
        reached('backup swap', 'before');
        return run(...bound);
      };
      return statement;
    }
    const note = () => seen.get(this)?.push(sql);
    const { run, get } = { run: statement.run.bind(statement), get: statement.get.bind(statement) };
    statement.run = (...bound) => {
      const result = run(...bound);
      if (result.changes > 0) note();
      return result;
    };
    statement.get = (...bound) => {
      const row = get(...bound);
      if (row !== undefined && sql.startsWith('UPDATE')) note();
      return row;
    };
    return statement;
  } as typeof prepare;
}

function listenToRenames(reached: Reached): void {
  const { renameSync } = fs;
  fs.renameSync = (from, to) => {
    if (!String(to).includes('.before-')) return renameSync(from, to);
    reached('backup swap', 'inside');
    renameSync(from, to);
    reached('backup swap', 'after');
  };
  syncBuiltinESMExports();
}
