/** Who may take a lease, and when: free, kept by this instance, held by a living, a hung, a dead one, or changed in between. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InstanceId, SessionId } from '../../shared/model/ids';
import type { WriteDb, WriteTx } from '../db/database';
import type { LeaseKey } from '../db/leases-table';
import { openForWriting } from '../db/open';
import { deleteSession } from '../db/sessions-table';
import { type BUSY, type WriteOptions, WriteSeam } from '../db/write-seam';
import { Engine } from '../testing/engine';
import { ManualClock } from '../testing/manual-clock';
import { TempProfile } from '../testing/profile';
import { type HeldLease, Leases } from './lease';
import { LEASE } from './policy';

const TTL = LEASE.ttlMs;
const FULL = 2;

/** The writes of a process that another one may come before: between its look at the row and its transaction. */
class OvertakenSeam extends WriteSeam {
  #first: () => void = () => {};

  overtakenBy(first: () => void): void {
    this.#first = first;
  }
  override tryWrite<T>(fn: (tx: WriteTx) => T, options?: WriteOptions): T | typeof BUSY {
    const first = this.#first;
    this.#first = () => {};
    first();
    return super.tryWrite(fn, options);
  }
}

describe('taking a lease', () => {
  let profile: TempProfile;
  let clock: ManualClock;
  let seam: OvertakenSeam;
  let one: Engine;
  /** Lives on a clock of its own that stands still: it renews nothing unless the test says so. */
  let hung: Engine;
  let key: LeaseKey;

  beforeEach(() => {
    profile = new TempProfile();
    clock = new ManualClock();
    const makeSeam = (db: WriteDb) => {
      seam = new OvertakenSeam(db, clock);
      return seam;
    };
    one = new Engine(profile, clock, makeSeam);
    hung = new Engine(profile);
    key = { session: one.session().sessionId, kind: 'compression' };
    clock.advance(5_000); // a watch does not begin at zero
  });
  afterEach(() => {
    hung.close();
    one.close();
    profile.remove();
  });

  const tryIt = (engine: Engine, run = 5, of = key) => engine.leases.tryAcquire(of, run, () => {});
  const take = (engine: Engine, run = 1, of = key): HeldLease => {
    const got = tryIt(engine, run, of);
    if (got.kind !== 'acquired') throw new Error(got.kind);
    return got.lease;
  };
  const row = (of = key) => one.lease(of.session, of.kind);
  const held = () => ({ kind: 'held', holder: hung.me });
  const gone: LeaseKey = { session: 'nowhere' as SessionId, kind: 'compression' };
  const locked = (fn: () => void): void => {
    const blocker = openForWriting(profile.database);
    blocker.exec('BEGIN IMMEDIATE');
    fn();
    blocker.exec('ROLLBACK');
    blocker.close();
  };
  /** What the last transaction of `one` promised about the disk. */
  const synchronous = () => one.db.pragma('synchronous', { simple: true });

  test('a lease that is acquired is on disk when the answer comes', () => {
    one.write(() => {});
    expect(synchronous()).not.toBe(FULL);
    one.leases.tryAcquire(key, 1, () => expect(synchronous()).toBe(FULL));
    expect.assertions(2);
  });

  test('one that an earlier run of this instance has not let go is named with that run', () => {
    take(one, 7);
    expect(tryIt(one)).toEqual({ kind: 'kept', run: 7 });
  });

  test('nobody acquires a lease of a session that is not there', () => {
    expect(() => tryIt(one, 1, gone)).toThrow('no lease row for compression of nowhere');
    expect(one.leases.holderOf(gone)).toBeNull();
    expect(one.leases.mayTake(gone)).toBe(true);
    expect(one.leases.freeStill(gone, () => {})).toBe(false);
  });

  describe('what happens between the look and the write', () => {
    test('another instance takes it: it is the holder', () => {
      seam.overtakenBy(() => take(hung));
      expect(tryIt(one)).toEqual(held());
      expect(row()).toMatchObject({ epoch: 1, instanceId: hung.me });
    });
    test('this instance takes it for another run: the next try will say so', () => {
      seam.overtakenBy(() => take(one, 2));
      expect(tryIt(one)).toEqual({ kind: 'busy' });
      expect(tryIt(one)).toEqual({ kind: 'kept', run: 2 });
    });
    test('the session is deleted for good', () => {
      seam.overtakenBy(() => one.write((tx) => deleteSession(tx, key.session)));
      expect(tryIt(one)).toEqual({ kind: 'busy' });
    });
    test('the holder that stood still wakes and renews: it keeps its lease', () => {
      const theirs = take(hung);
      tryIt(one);
      clock.advance(TTL);
      seam.overtakenBy(() => theirs.renew());
      expect(tryIt(one)).toEqual(held());
      expect(theirs.state).toBe('held');
    });
  });

  describe('the watch over a living holder', () => {
    test('what is left of it is told in milliseconds, and nothing is left of one that may be taken', () => {
      expect(one.leases.mayTakeIn(key)).toBe(0);
      take(hung);
      expect(one.leases.mayTakeIn(key)).toBe(TTL);
      clock.advance(1_000);
      expect(one.leases.mayTakeIn(key)).toBe(TTL - 1_000);
      clock.advance(TTL - 1_001);
      expect([one.leases.mayTake(key), one.leases.mayTakeIn(key)]).toEqual([false, 1]);
      clock.advance(1);
      expect([one.leases.mayTake(key), one.leases.mayTakeIn(key)]).toEqual([true, 0]);
    });

    test.each([
      ['a renewal', (theirs: HeldLease) => theirs.renew()],
      [
        'a new acquire of the same instance',
        async (theirs: HeldLease) => {
          await theirs.release();
          take(hung, 2);
        },
      ],
    ])('%s begins it anew', async (_what, lives) => {
      const theirs = take(hung);
      expect(one.leases.mayTake(key)).toBe(false);
      clock.advance(TTL - 1);
      await lives(theirs);
      clock.advance(1);
      expect(tryIt(one)).toEqual(held());
      clock.advance(TTL);
      expect(tryIt(one).kind).toBe('acquired');
    });

    test('it is of one lease: another session, or the other kind, is watched by itself', () => {
      const keys: LeaseKey[] = [key, { ...key, kind: 'turn' }, { ...key, session: one.session().sessionId }];
      for (const of of keys) take(hung, 1, of);
      expect(one.leases.mayTake(key)).toBe(false);
      clock.advance(TTL);
      expect(keys.map((of) => one.leases.mayTake(of))).toEqual([true, false, false]);
    });
  });

  test('whether a holder is dead is asked of another instance alone: a look at its own lock file would drop the lock', () => {
    const asked: InstanceId[] = [];
    const recoverIfDead = (id: InstanceId) => {
      asked.push(id);
      return false;
    };
    const leases = new Leases({ seam, clock, me: one.me, times: LEASE, recoverIfDead });
    const look = () => [leases.holderOf(key), leases.mayTake(key)];
    expect(look()).toEqual([null, true]);
    const mine = take(one);
    expect(look()).toEqual([one.me, true]);
    mine.released();
    one.write((tx) => mine.releaseIn(tx));
    expect(asked).toEqual([]);
    take(hung);
    expect(look()).toEqual([hung.me, false]);
    expect(asked).toEqual([hung.me, hung.me]);
  });

  describe('freeing a lease that is kept still', () => {
    let ends: number;
    const free = () =>
      one.leases.freeStill(key, () => {
        ends++;
      });
    beforeEach(() => {
      ends = 0;
    });
    /** One look, and a whole TTL. */
    const watch = () => {
      expect(free()).toBe(false);
      clock.advance(TTL);
    };

    test('after one whole TTL its epoch rises, nobody has it, and its run is ended in the same transaction, on disk', () => {
      const theirs = take(hung);
      expect(free()).toBe(false);
      clock.advance(TTL - 1);
      expect(free()).toBe(false);
      clock.advance(1);
      const freed = one.leases.freeStill(key, (tx) => {
        expect(tx.inTransaction).toBe(true);
        expect(row()).toMatchObject({ epoch: 2, instanceId: one.me });
        ends++;
      });
      expect([freed, ends]).toEqual([true, 1]);
      expect(synchronous()).toBe(FULL);
      expect(row()).toMatchObject({ epoch: 2, instanceId: null, runId: null });
      theirs.renew();
      expect(theirs.state).toBe('lost');
    });

    test.each<[string, () => unknown]>([
      ['is free', () => {}],
      ['is this instance’s own', () => one.write((tx) => one.leases.claim(tx, key, 3))],
    ])('one that %s stays as it is, however long', (_what, made) => {
      made();
      const before = row();
      watch();
      expect(free()).toBe(false);
      expect([ends, row()]).toEqual([0, before]);
    });

    test('a holder that wakes just before keeps it, and what it runs goes on', () => {
      const theirs = take(hung);
      watch();
      seam.overtakenBy(() => theirs.renew());
      expect([free(), ends]).toEqual([false, 0]);
      expect(row()).toMatchObject({ epoch: 1, instanceId: hung.me });
    });

    test('a database that is busy frees nothing; the next look does', () => {
      take(hung);
      watch();
      locked(() => expect([free(), ends]).toEqual([false, 0]));
      expect([free(), ends]).toEqual([true, 1]);
    });
  });
});
