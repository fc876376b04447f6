import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock';
import { TempProfile } from '../testing/profile';
import type { WriteDb } from './database';
import { openForWriting } from './open';
import { allSettings, putSetting } from './settings-table';
import { BUSY, WriteSeam } from './write-seam';

describe('write seam', () => {
  let profile: TempProfile;
  let db: WriteDb;
  let blocker: WriteDb;
  let clock: ManualClock;
  let seam: WriteSeam;

  beforeEach(() => {
    profile = new TempProfile();
    db = openForWriting(profile.database);
    blocker = openForWriting(profile.database);
    clock = new ManualClock();
    seam = new WriteSeam(db, clock);
  });
  afterEach(() => {
    db.close();
    blocker.close();
    profile.remove();
    expect(clock.armed).toBe(0);
  });

  test('S97 the bundled SQLite is past the WAL faults of older ones', () => {
    const version = db.prepare('SELECT sqlite_version()').pluck().get() as string;
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
    expect(major * 1_000_000 + minor * 1_000 + patch).toBeGreaterThanOrEqual(3_051_003);
  });

  test('writes at once where nobody else does', async () => {
    let done = false;
    const writing = seam
      .write('a', (tx) => putSetting(tx, 'k', '1'))
      .then(() => {
        done = true;
      });
    expect(allSettings(db)).toEqual({ k: '1' }); // in the same step
    await writing;
    expect(done).toBe(true);
  });

  test('a busy database is tried again by a timer, in the order of a queue, first things first', async () => {
    blocker.exec('BEGIN IMMEDIATE');
    expect(seam.tryWrite((tx) => putSetting(tx, 'x', '0'))).toBe(BUSY);
    const order: string[] = [];
    const write = (queue: string, name: string, first = false) =>
      seam.write(queue, () => void order.push(name), { first });
    const all = [write('a', 'a1'), write('a', 'a2'), write('b', 'b1'), write('c', 'release', true)];
    clock.advance(100);
    expect(order).toEqual([]);
    blocker.exec('ROLLBACK');
    clock.advance(400);
    await Promise.all(all);
    expect(order[0]).toBe('release');
    expect(order.indexOf('a1')).toBeLessThan(order.indexOf('a2'));
  });

  test('after five seconds it gives up with a code, and nothing was written', async () => {
    blocker.exec('BEGIN IMMEDIATE');
    const writing = seam.write('a', (tx) => putSetting(tx, 'k', '1'));
    const refused = expect(writing).rejects.toMatchObject({ code: 'busy' });
    clock.advance(6_000);
    await refused;
    blocker.exec('ROLLBACK');
    expect(allSettings(db)).toEqual({});
  });

  test('what must be written keeps its place, however long it waits; what waits behind it gives up in time', async () => {
    blocker.exec('BEGIN IMMEDIATE');
    const order: string[] = [];
    const name = (what: string) => () => void order.push(what);
    const kept = [seam.persist('a', name('backoff'), { first: true }), seam.persist('a', name('end'), { first: true })];
    const behind = expect(seam.write('a', name('message'))).rejects.toMatchObject({ code: 'busy' });
    clock.advance(6_000);
    await behind;
    clock.advance(60_000);
    kept.push(seam.persist('a', name('release')));
    blocker.exec('ROLLBACK');
    clock.advance(1_000);
    await Promise.all(kept);
    expect(order).toEqual(['backoff', 'end', 'release']);
  });

  test('S56 what must be written waits for room on the disk; what waits behind it is told why', async () => {
    const pages = db.pragma('page_count', { simple: true }) as number;
    db.pragma(`max_page_count = ${pages}`);
    let done = false;
    const kept = seam
      .persist('a', (tx) => putSetting(tx, 'big', JSON.stringify('x'.repeat(200_000))))
      .then(() => {
        done = true;
      });
    const behind = expect(seam.write('a', () => {})).rejects.toMatchObject({ code: 'disk-full' });
    clock.advance(6_000);
    await behind;
    expect(done).toBe(false);
    db.pragma('max_page_count = 1000000');
    clock.advance(1_000);
    await kept;
    expect(Object.keys(allSettings(db))).toEqual(['big']);
  });

  test('a transaction that throws is rolled back whole', () => {
    expect(() =>
      seam.tryWrite((tx) => {
        putSetting(tx, 'k', '1');
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(allSettings(db)).toEqual({});
    expect(db.inTransaction).toBe(false);
  });

  test('S56 a full disk is an error with a code; what was there stays readable', () => {
    seam.tryWrite((tx) => putSetting(tx, 'k', '1'));
    const pages = db.pragma('page_count', { simple: true }) as number;
    db.pragma(`max_page_count = ${pages}`);
    expect(() => seam.tryWrite((tx) => putSetting(tx, 'big', JSON.stringify('x'.repeat(200_000))))).toThrow(
      /disk-full/,
    );
    expect(allSettings(db)).toEqual({ k: '1' });
  });
});
