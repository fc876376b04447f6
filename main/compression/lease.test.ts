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

  test('refuses times that leave no room for a missed renewal', () => {
    const times = { ttlMs: 30_000, renewMs: 15_000 };
    expect(
      () => new Leases({ seam: one.seam, clock: one.clock, me: one.me, times, recoverIfDead: () => false }),
    ).toThrow();
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
    // the row passes on in the same session, as after a takeover
    one.write((tx) =>
      tx
        .prepare(`UPDATE leases SET epoch = epoch + 1, ${taken} WHERE session_id = ? AND kind = ?`)
        .run(session, 'compression'),
    );
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
    one.write((tx) =>
      tx
        .prepare('UPDATE leases SET epoch = epoch + 1, run_id = 99 WHERE session_id = ? AND kind = ?')
        .run(session, 'compression'),
    );
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
