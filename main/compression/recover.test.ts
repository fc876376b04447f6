/** S28 by hand: the user's Recover watches the window that holds a compression, and takes over only what is gone or still. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptId, BranchId, SessionId } from '../../shared/model/ids';
import { openAttempt } from '../db/attempts-table';
import { changeSession, deleteSession } from '../db/sessions-table';
import { Beat } from '../sessions/beat';
import { activityOf } from '../sessions/shown';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { LEASE } from './policy';

const HOUR = 3_600_000;

describe('recover', () => {
  let profile: TempProfile;
  let one: Engine;
  /** Holds the compression. It has a clock of its own where it hangs. */
  let other: Engine;
  let beat: Beat;
  let session: { sessionId: SessionId; branchId: BranchId };

  beforeEach(() => {
    profile = new TempProfile();
    one = new Engine(profile);
    session = one.session(40, 800);
    beat = new Beat(one.db, one.clock, {
      busy: () => true,
      moved: () => {},
      tick: () => {
        one.recover.look();
        one.turns.lookAtLeases();
      },
      slept: () => one.coordinator.slept(),
      failed: (error) => {
        throw error;
      },
    });
    beat.wake();
  });
  afterEach(() => {
    beat.end();
    other.close();
    one.close();
    profile.remove();
  });

  /** The other begins to compress; "hung" = no time passes for it, so it is alive and renews nothing. */
  const holds = async (how: 'living' | 'hung') => {
    other = how === 'living' ? new Engine(profile, one.clock) : new Engine(profile);
    const attempt = await other.attempt(session, 'manual', ['summarize']);
    expect(one.lease(session.sessionId)).toMatchObject({ instanceId: other.me, epoch: 1 });
    return attempt;
  };
  const all = ['prune', 'summarize', 'extract'] as const;
  /** The user's button, which finds the lease held: the attempt whose card has Recover. */
  const refused = async (range: { from: number; to: number } | null = null): Promise<AttemptId> => {
    await one.compression.start({ ...session, strategies: range ? ['extract'] : all, range });
    await one.settle();
    const [last] = one.attempts(session.sessionId);
    expect(last?.outcome).toEqual({ kind: 'deferred', why: { kind: 'lease-held', holder: other.me } });
    return last?.id as AttemptId;
  };
  const recover = async (id: AttemptId) => {
    await one.recover.begin(one.compression.wishOf(session.sessionId, id));
    await one.settle();
  };
  const state = () => one.recover.stateOf(session.sessionId);
  const lease = () => one.lease(session.sessionId);
  const own = () => one.attempts(session.sessionId).filter((attempt) => attempt.instanceId === one.me).length;

  test('S28 a window whose process is gone is taken over at once', async () => {
    await holds('living');
    const id = await refused();
    other.die();
    await recover(id);
    expect(one.recovered).toEqual([{ kind: 'taken' }]);
    expect(state()).toBeNull();
    expect(lease()).toMatchObject({ instanceId: one.me, epoch: 2 });
    await one.answerAll();
    expect(one.shown(session.branchId)).toMatchObject([{ author: 'model', coversFrom: 1 }]);
    expect(one.clock.monotonic()).toBe(0); // no timer had to elapse
  });

  test('S28 a window that hangs is taken over after one TTL and not before; what it has when it wakes is refused', async () => {
    const hung = await holds('hung');
    await recover(await refused());
    expect(state()).toMatchObject({ at: 'watching', until: one.clock.wall() + LEASE.ttlMs });
    await one.pass(LEASE.ttlMs - 1_000);
    expect(one.recovered).toEqual([]);
    expect(lease()).toMatchObject({ instanceId: other.me, epoch: 1 });
    await one.pass(1_000);
    expect(one.recovered).toEqual([{ kind: 'taken' }]);
    expect(lease()).toMatchObject({ instanceId: one.me, epoch: 2 });
    expect(state()).toBeNull();
    await one.answerAll();
    expect(one.shown(session.branchId)).toHaveLength(1);

    // it stands still yet: nothing of it is shown as running any more
    expect(openAttempt(one.db, session.sessionId)).toBeNull();
    expect(activityOf(one.db, session.sessionId, null)).toEqual({ kind: 'idle' });
    expect(one.compression.attempts(session.sessionId).find(({ id }) => id === hung.spec.id)?.outcome).toEqual({
      kind: 'failed',
      failure: 'lease-lost',
    });
    const before = one.shown(session.branchId);
    await other.answerAll();
    expect((await hung.outcome).kind).toBe('failed');
    expect(one.shown(session.branchId)).toEqual(before);
  });

  test('S28 what was seen still for one TTL by the click is taken over by it', async () => {
    await holds('hung');
    const id = await refused();
    await one.pass(LEASE.ttlMs);
    expect(lease().instanceId).toBe(other.me); // nobody asked for it
    await recover(id);
    expect(lease()).toMatchObject({ instanceId: one.me, epoch: 2 });
    await one.answerAll();
  });

  test('S28 a window that renews goes on: nothing is started, nothing of its lease changes', async () => {
    const living = await holds('living');
    other.host.last.emit({ t: 'phase', phase: 'reading' });
    await recover(await refused());
    await one.pass(LEASE.renewMs - 1_000);
    expect(state()?.at).toBe('watching');
    await one.pass(1_000);
    expect(one.recovered).toEqual([{ kind: 'alive' }]);
    expect(state()).toEqual({ at: 'alive' });
    await one.pass(LEASE.renewMs * 2);
    expect(own()).toBe(1); // the one that found it held
    expect(lease()).toMatchObject({ instanceId: other.me, runId: living.spec.id, epoch: 1, renewals: 3 });
    expect(state()).toEqual({ at: 'alive' });
    // said as long as it is true
    await other.answerAll();
    expect((await living.outcome).kind).toBe('committed');
    await one.pass(1_000);
    expect(state()).toBeNull();
    expect(own()).toBe(1);
  });

  test('S28 "at work" is not said of a window that stands still by now', async () => {
    await holds('hung');
    await recover(await refused());
    other.clock.advance(LEASE.renewMs); // it lives for a moment
    await one.pass(1_000);
    expect(state()).toEqual({ at: 'alive' });
    await one.pass(LEASE.ttlMs); // watched anew from the next beat on
    expect(state()).toEqual({ at: 'alive' });
    await one.pass(1_000);
    expect(state()).toBeNull();
    expect(lease()).toMatchObject({ instanceId: other.me, epoch: 1 });
  });

  test('S28 another attempt of that window is a sign of life too', async () => {
    const first = await holds('living');
    await recover(await refused());
    first.cancel('user');
    await other.settle();
    await other.attempt(session, 'manual', ['summarize']);
    expect(lease()).toMatchObject({ instanceId: other.me, epoch: 2, renewals: 0 });
    await one.pass(1_000);
    expect(one.recovered).toEqual([{ kind: 'alive' }]);
    expect(own()).toBe(1);
  });

  test('S28 where the other ends by itself, what was wished for starts', async () => {
    const living = await holds('living');
    await recover(await refused());
    living.cancel('user');
    await other.settle();
    await one.pass(1_000);
    expect(one.recovered).toEqual([{ kind: 'free' }]);
    expect(lease()).toMatchObject({ instanceId: one.me, epoch: 2 });
    await one.answerAll();
    expect(one.shown(session.branchId)).toHaveLength(1);
  });

  const cancels = {
    user: () => one.recover.cancel(session.sessionId),
    newer: () => one.compression.start({ ...session, strategies: all, range: null }),
    deleted: () => one.write((tx) => changeSession(tx, session.sessionId, { deletedAt: one.clock.wall() })),
    quit: () => one.recover.quit(),
  } as const;
  test.each(Object.keys(cancels) as (keyof typeof cancels)[])('S28 cancelled (%s): nothing starts', async (by) => {
    await holds('hung');
    await recover(await refused());
    await one.pass(LEASE.ttlMs - 5_000);
    await cancels[by]();
    await one.settle();
    const begun = own();
    await one.pass(LEASE.ttlMs);
    expect(one.recovered).toEqual([{ kind: 'cancelled', by }]);
    expect(state()).toBeNull();
    expect(own()).toBe(begun);
    expect(lease()).toMatchObject({ instanceId: other.me, epoch: 1 });
  });

  test('S28 after the app began to quit nothing is watched any more', async () => {
    await holds('hung');
    const id = await refused();
    one.recover.quit();
    await expect(recover(id)).rejects.toMatchObject({ code: 'busy' });
    expect(state()).toBeNull();
  });

  test.each(['moves', 'stands'] as const)(
    'S28 time asleep is no time watched (monotonic time %s)',
    async (monotonic) => {
      await holds('hung');
      await recover(await refused());
      await one.pass(40_000);
      one.clock.sleep(HOUR, monotonic);
      await one.pass(1_000);
      expect(one.recovered).toEqual([]);
      expect(lease().instanceId).toBe(other.me);
      // the countdown begins anew, from where the machine woke
      const until = state()?.at === 'watching' ? state() : null;
      expect(until).toMatchObject({ at: 'watching' });
      const left = (until as { until: number }).until - one.clock.wall();
      expect(left).toBeGreaterThan(LEASE.ttlMs - 2_000);
      await one.pass(left - 1_000);
      expect(one.recovered).toEqual([]);
      await one.pass(2_000);
      expect(one.recovered).toEqual([{ kind: 'taken' }]);
      expect(lease()).toMatchObject({ instanceId: one.me, epoch: 2 });
      await one.answerAll();
    },
  );

  test('S28 what was chosen by hand is what is done: its range and its strategy', async () => {
    await holds('hung');
    await recover(await refused({ from: 5, to: 20 }));
    await one.pass(LEASE.ttlMs);
    await one.settle();
    expect(one.shown(session.branchId)).toMatchObject([{ author: 'extract', coversFrom: 5, coversTo: 20 }]);
  });

  test('S28 a range that nobody remembers after a new start is not guessed; all else is all strategies', async () => {
    const held = await holds('hung');
    const range = await refused({ from: 5, to: 20 });
    const whole = await refused();
    beat.end();
    one = one.restart();
    const wish = { ...session, strategies: all, range: null };
    expect(one.compression.wishOf(session.sessionId, whole)).toEqual(wish);
    expect(one.compression.wishOf(session.sessionId, held.spec.id)).toEqual(wish);
    expect(() => one.compression.wishOf(session.sessionId, range)).toThrowError(/range-unknown/);
    const elsewhere = one.session().sessionId;
    expect(() => one.compression.wishOf(elsewhere, whole)).toThrowError(/not-found/);
  });

  test('S28 what is refused when it could be taken over is told, until it is read', async () => {
    one.extractAllowed = false;
    await holds('hung');
    await one.compression.start({ ...session, strategies: ['summarize'], range: null });
    await one.settle();
    await recover(one.attempts(session.sessionId)[0]?.id as AttemptId);
    one.models.change({ canSummarize: false });
    await one.pass(LEASE.ttlMs);
    const why = { at: 'refused', error: { code: 'nothing-to-compress' } };
    expect(state()).toMatchObject(why);
    expect(one.recover.looks).toBe(false);
    expect(lease().instanceId).toBe(other.me);

    const second = one.session(40, 800);
    await other.attempt(second, 'manual', ['summarize']);
    await one.recover.begin({ ...second, strategies: all, range: null });
    expect(one.recover.looks).toBe(true); // at the second one
    await one.pass(2_000);
    expect(state()).toMatchObject(why);
    one.recover.cancel(session.sessionId);
    expect(state()).toBeNull();
    expect(one.recovered).toEqual([{ kind: 'taken' }]); // nothing was watched any more that could be cancelled
  });

  test('S28 a fault at the start is told as a refusal is', async () => {
    await holds('hung');
    await recover(await refused());
    one.models.facts = () => {
      throw new Error('no list of models');
    };
    await one.pass(LEASE.ttlMs);
    const error = { code: 'internal', fields: { message: 'Error: no list of models' } };
    expect(state()).toMatchObject({ at: 'refused', error });
  });

  test('S28 a start that only the end of the app refuses is told to nobody', async () => {
    await holds('hung');
    await recover(await refused());
    beat.end();
    one.clock.advance(LEASE.ttlMs);
    one.recover.look();
    one.recover.quit();
    await one.coordinator.quit();
    await one.settle();
    expect(one.recovered).toEqual([{ kind: 'taken' }]);
    expect(state()).toBeNull();
    expect(lease().instanceId).toBe(other.me);
  });

  test('S28 asked for twice, it is one watch and one start', async () => {
    await holds('hung');
    const id = await refused();
    expect(one.recover.looks).toBe(false);
    await recover(id);
    expect(one.recover.looks).toBe(true);
    await one.pass(5_000);
    await recover(id);
    expect(one.recovered).toEqual([{ kind: 'cancelled', by: 'newer' }]);
    await one.pass(LEASE.ttlMs - 5_000);
    expect(one.recovered.slice(1)).toEqual([{ kind: 'taken' }]);
    expect(own()).toBe(2); // the one that found it held, and this
    await one.answerAll();
  });

  test('S28 the countdown is told anew once it is off by more than a second', async () => {
    await holds('hung');
    await recover(await refused());
    const told = () => one.published.filter((what) => what === 'notices').length;
    const before = told();
    await one.pass(5_000);
    one.clock.jumpWall(1_000);
    await one.pass(1_000);
    expect(told()).toBe(before);
    one.clock.jumpWall(1);
    await one.pass(1_000);
    expect(told()).toBe(before + 1);
    expect(state()).toMatchObject({ at: 'watching', until: one.clock.wall() + LEASE.ttlMs - 7_000 });
  });

  test('S28 of a chat that is gone for good nothing is watched', async () => {
    await holds('hung');
    const id = await refused();
    await recover(id);
    one.write((tx) => deleteSession(tx, session.sessionId));
    await one.pass(1_000);
    expect(one.recovered).toEqual([{ kind: 'cancelled', by: 'deleted' }]);
    expect(state()).toBeNull();
    const begun = one.recover.begin({ ...session, strategies: all, range: null });
    await expect(begun).rejects.toMatchObject({ code: 'not-found', fields: { what: 'session' } });
    expect(one.recovered).toHaveLength(1);
  });

  test('S28 a message that waits for the same lease goes out as well, and one summary is made', async () => {
    await holds('hung');
    const id = await refused();
    await one.send(session, 'does not fit without a compression');
    await one.settle();
    expect(one.turn(session.sessionId)).toMatchObject({ state: 'deferred', reason: { why: { kind: 'lease-held' } } });
    await recover(id);
    await one.pass(LEASE.ttlMs);
    expect(one.recovered).toEqual([{ kind: 'taken' }]);
    await one.answerAll();
    expect(one.turn(session.sessionId)?.state).toBe('completed');
    expect(one.shown(session.branchId)).toHaveLength(1);
    expect(one.texts(session.branchId).filter((text) => text.startsWith('does not fit'))).toHaveLength(1);
    expect(lease().instanceId).toBeNull();
  });

  test('S28 where this window took it over meanwhile, no second attempt begins', async () => {
    await holds('hung');
    const id = await refused();
    await recover(id);
    await one.pass(LEASE.ttlMs - 1_000);
    one.clock.advance(1_000 - 1); // before the beat
    const turn = await one.attempt(session, 'must'); // asks in vain
    expect((await turn.outcome).kind).toBe('deferred');
    beat.end();
    one.clock.advance(1);
    const served = await one.attempt(session, 'must');
    expect(lease()).toMatchObject({ instanceId: one.me, runId: served.spec.id });
    const begun = own();
    one.recover.look();
    await one.settle();
    expect(one.recovered).toEqual([{ kind: 'joined' }]);
    expect(state()).toBeNull();
    expect(own()).toBe(begun);
    await one.answerAll();
    expect((await served.outcome).kind).toBe('committed');
  });

  test('S28 says beforehand since when it is held, and for how long it would be watched', async () => {
    await one.pass(5_000);
    await holds('living');
    expect(one.recover.preview(session.sessionId)).toEqual({
      kind: 'held',
      since: one.clock.wall(),
      watchMs: LEASE.ttlMs,
    });
    expect(state()).toBeNull(); // asking is not doing
    other.die();
    expect(one.recover.preview(session.sessionId)).toEqual({ kind: 'free' });
    await one.attempt(session, 'manual', ['summarize']);
    expect(lease().instanceId).toBe(one.me);
    expect(one.recover.preview(session.sessionId)).toEqual({ kind: 'free' }); // from itself there is nothing to recover
  });
});
