import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionId } from '../../shared/model/ids';
import { openForWriting } from '../db/open';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { type HeldLease, Leases } from './lease';

describe('lease', () => {
  let profile: TempProfile;
  let one: Engine;
  let session: SessionId;

  beforeEach(() => {
    profile = new TempProfile();
    one = new Engine(profile);
    session = one.session().sessionId;
  });
  afterEach(() => {
    one.close();
    profile.remove();
  });

  const key = () => ({ session, kind: 'compression' as const });
  const take = (engine: Engine, run = 1): HeldLease => {
    const got = engine.leases.tryAcquire(key(), run, () => {});
    if (got.kind !== 'acquired') throw new Error(got.kind);
    return got.lease;
  };

  /** The row passes on in the same session, as after a takeover. */
  const passOn = (run = 'run_id = 99') =>
    one.write((tx) =>
      tx
        .prepare(`UPDATE leases SET epoch = epoch + 1, ${run} WHERE session_id = ? AND kind = ?`)
        .run(session, 'compression'),
    );

  test('refuses times that leave no room for a missed renewal', () => {
    const times = { ttlMs: 30_000, renewMs: 15_000 };
    expect(
      () => new Leases({ seam: one.seam, clock: one.clock, me: one.me, times, recoverIfDead: () => false }),
    ).toThrow('well within half its TTL');
  });

  test('the epoch rises on acquire only', async () => {
    const lease = take(one);
    expect(one.lease(session).epoch).toBe(1);
    lease.renew();
    expect(one.lease(session)).toMatchObject({ epoch: 1, renewals: 1 });
    await lease.release();
    expect(one.lease(session)).toMatchObject({ epoch: 1, instanceId: null });
    await take(one, 2).release();
    expect(one.lease(session).epoch).toBe(2);
  });

  test('P8 the way to release is armed in the very step of the durable acquire', () => {
    let held: string | null = null;
    const got = one.leases.tryAcquire(key(), 1, (lease) => {
      held = one.lease(session).instanceId; // already durable, nothing has run in between
      expect(lease.state).toBe('held');
    });
    expect(held).toBe(one.me);
    expect(got.kind).toBe('acquired');
    if (got.kind === 'acquired') return got.lease.release();
  });

  test.each([
    ['another run', 'run_id = 99'],
    ['the same run, taken anew', 'run_id = run_id'],
  ])('P11 a release touches nothing of %s, and its own renewal has stopped before it', async (_what, taken) => {
    const stale = take(one);
    passOn(taken);
    const passedOn = one.lease(session);
    const releasing = stale.release();
    expect(stale.state).toBe('releasing');
    one.clock.advance(60_000); // no renewal may come now: it would find 0 rows and cry "lost"
    await releasing;
    expect(stale.state).toBe('released');
    expect(one.lease(session)).toEqual(passedOn);
  });

  test('a renewal that finds another holder says lost, once, and releases nothing', async () => {
    const lease = take(one);
    let lost = 0;
    lease.onLost(() => lost++);
    passOn();
    one.clock.advance(60_000);
    expect(lost).toBe(1);
    await lease.release();
    expect(one.lease(session).runId).toBe(99);
  });

  test('P35 a renewal that fails five times on a locked database and then works keeps the lease', async () => {
    const lease = take(one);
    let lost = false;
    lease.onLost(() => {
      lost = true;
    });
    const blocker = openForWriting(profile.database);
    blocker.exec('BEGIN IMMEDIATE');
    one.clock.advance(15_000 + 5_000);
    const { state } = lease;
    blocker.exec('ROLLBACK');
    blocker.close();
    expect(state).toBe('held');
    one.clock.advance(1_000);
    expect(one.lease(session).renewals).toBeGreaterThan(0);
    expect(lost).toBe(false);
    await lease.release();
  });

  test('a renewal that an error of the database kept from being written is tried again after a second', () => {
    const lease = take(one);
    one.db.pragma('query_only = ON'); // what a disk that takes no more writes does to it
    one.clock.advance(15_000);
    one.db.pragma('query_only = OFF');
    expect([lease.state, one.lease(session).renewals]).toEqual(['held', 0]);
    one.clock.advance(1_000);
    expect(one.lease(session).renewals).toBe(1);
  });

  test('a look finds the lease lost before the next renewal would, and tells it once', () => {
    const lease = take(one);
    let lost = 0;
    lease.onLost(() => lost++);
    lease.look();
    expect([lease.state, lost]).toEqual(['held', 0]);
    passOn();
    for (let i = 0; i < 2; i++) lease.look();
    expect([lease.state, lost, one.clock.armed]).toEqual(['lost', 1, 0]);
  });

  test.each<[string, (lease: HeldLease) => Promise<void> | void]>([
    ['let go', (lease) => lease.release()],
    [
      'let go by a commit',
      (lease) => {
        one.write((tx) => lease.releaseIn(tx));
        lease.released();
      },
    ],
  ])('one that was %s is not renewed, looked for or released again', async (_how, letGo) => {
    const lease = take(one);
    let lost = 0;
    lease.onLost(() => lost++);
    await letGo(lease);
    const { writes } = one.seam;
    expect(one.lease(session).instanceId).toBeNull();
    expect(one.clock.armed).toBe(0);
    lease.renew();
    lease.look();
    await lease.release();
    expect([lease.state, lost, one.seam.writes]).toEqual(['released', 0, writes]);
  });

  test('one that is lost stays lost when it is released', async () => {
    const lease = take(one);
    passOn();
    lease.renew();
    await lease.release();
    expect(lease.state).toBe('lost');
  });

  test('one that is let go in the step of its acquire never begins to renew', async () => {
    let releasing: Promise<void> | null = null;
    one.leases.tryAcquire(key(), 1, (lease) => {
      releasing = lease.release();
    });
    await releasing;
    expect([one.lease(session).instanceId, one.clock.armed]).toEqual([null, 0]);
  });

  test('a release goes before writes of other chats that wait for the database', async () => {
    const lease = take(one);
    const other = one.session().sessionId;
    const blocker = openForWriting(profile.database);
    blocker.exec('BEGIN IMMEDIATE');
    const written = one.seam.write(other, () => one.lease(session).instanceId);
    const releasing = lease.release();
    blocker.exec('ROLLBACK');
    blocker.close();
    one.clock.advance(1_000);
    expect(await written).toBeNull();
    await releasing;
  });

  test('a living holder is taken over only after one whole TTL without a renewal', async () => {
    const two = new Engine(profile, one.clock);
    const held = take(two);
    const tryIt = () => one.leases.tryAcquire(key(), 5, () => {}).kind;
    expect(tryIt()).toBe('held');
    one.clock.advance(44_000);
    expect(tryIt()).toBe('held'); // it has renewed meanwhile
    one.clock.advance(44_000);
    expect(tryIt()).toBe('held');
    await held.release();
    two.close();
  });

  test('a holder that hangs is taken over after the TTL; it then finds its lease lost', async () => {
    const hung = new Engine(profile); // a clock of its own that stands still: no renewal comes
    const held = take(hung);
    const tryIt = () => one.leases.tryAcquire(key(), 5, () => {});
    expect(tryIt().kind).toBe('held');
    one.clock.advance(44_999);
    expect(tryIt().kind).toBe('held');
    one.clock.advance(1);
    const got = tryIt();
    expect(got.kind).toBe('acquired');
    expect(one.lease(session)).toMatchObject({ epoch: 2, instanceId: one.me });
    held.renew();
    expect(held.state).toBe('lost');
    if (got.kind === 'acquired') await got.lease.release();
    hung.close();
  });

  test('the lease of a dead process is free at once', async () => {
    const two = new Engine(profile, one.clock);
    take(two);
    two.die();
    const got = one.leases.tryAcquire(key(), 5, () => {});
    expect(got.kind).toBe('acquired');
    if (got.kind === 'acquired') await got.lease.release();
  });
});
