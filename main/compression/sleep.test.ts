import { afterEach, describe, expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { BUSY } from '../db/write-seam';
import type { StreamPhase } from '../hosts/protocol';
import { Beat } from '../sessions/beat';
import { eachEngine } from '../testing/each-engine';
import { Engine, GOOD_SUMMARY } from '../testing/engine';
import type { TempProfile } from '../testing/profile';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Sleep on systems whose monotonic clock moves on, and on those where it stands; and a wall clock that is set. */
const jumps = {
  'an hour of sleep that the clock counts': (engine: Engine) => engine.clock.sleep(HOUR, 'moves'),
  'an hour of sleep that it does not count': (engine: Engine) => engine.clock.sleep(HOUR, 'stands'),
  'a wall clock set three days ahead': (engine: Engine) => engine.clock.jumpWall(3 * DAY),
  'a wall clock set three days back': (engine: Engine) => engine.clock.jumpWall(-3 * DAY),
} as const;
const names = Object.keys(jumps) as (keyof typeof jumps)[];
const sleeps = names.filter((name) => name.includes('sleep'));

describe('sleep and clocks', () => {
  let profile: TempProfile;
  let engine: Engine;
  let session: { sessionId: SessionId; branchId: BranchId };
  let beat: Beat;

  eachEngine((made, at) => {
    engine = made;
    profile = at;
    engine.extractAllowed = false;
    session = engine.session(40, 800);
    beat = new Beat(engine.db, engine.clock, {
      busy: () => true,
      moved: () => {},
      tick: () => engine.turns.lookAtLeases(),
      slept: () => {
        engine.coordinator.slept();
        engine.turns.slept();
      },
      failed: (error) => {
        throw error;
      },
    });
    beat.wake();
  });
  afterEach(() => {
    beat.end();
  });

  const outcomes = () => engine.attempts(session.sessionId).map(({ outcome }) => outcome?.kind ?? null);
  const lease = () => engine.lease(session.sessionId);
  /** Patience that is left when the machine falls asleep: less than a beat. */
  const ALMOST = 300;
  const patience: { readonly [P in StreamPhase]: number } = {
    connecting: 30_000,
    loading: 120_000,
    reading: 0, // from the prompt: see below
    writing: 60_000,
  };

  for (const phase of ['connecting', 'loading', 'reading', 'writing'] as const)
    test.each(names)(`while ${phase}: %s is no stall; patience ends when it was used up awake`, async (name) => {
      const attempt = await engine.attempt(session, 'manual', ['summarize']);
      const stream = engine.host.last;
      if (phase !== 'connecting') stream.emit({ t: 'phase', phase });
      const prompt = stream.job.kind === 'summary' ? stream.job.messages.map(({ content }) => content).join('') : '';
      expect(prompt).not.toBe('');
      // reading has more than a minute, by the size of the prompt; five minutes are never too much for these
      const limit = phase === 'reading' ? 60_000 : patience[phase];
      await engine.pass(limit - ALMOST, 1_000);
      jumps[name](engine);
      await engine.settle();
      expect(stream.cancels).toEqual([]);
      await engine.pass(ALMOST - 100, 100);
      expect(stream.cancels).toEqual([]);
      if (sleeps.includes(name)) {
        await engine.pass(limit / 2, 1_000); // it started anew
        expect(stream.cancels).toEqual([]);
      }
      await engine.answerAll();
      expect((await attempt.outcome).kind).toBe('committed');
      expect(lease().instanceId).toBeNull();
    });

  test.each(names)('a stream that stays silent after %s is stalled in the end', async (name) => {
    await engine.attempt(session, 'manual', ['summarize']);
    const stream = engine.host.last;
    stream.emit({ t: 'phase', phase: 'writing' });
    await engine.pass(59_700, 1_000);
    jumps[name](engine);
    await engine.pass(62_000, 1_000);
    expect(stream.cancels).toEqual(['idle']);
    expect(outcomes()).toEqual(['failed']);
  });

  test.each(names)('while checking: %s changes nothing', async (name) => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    for (const stream of engine.host.running) stream.answer(GOOD_SUMMARY);
    jumps[name](engine);
    await engine.settle();
    await engine.answerAll();
    expect((await attempt.outcome).kind).toBe('committed');
  });

  test.each(names)('while saving, with the database busy: %s is not taken for waiting', async (name) => {
    const saving = await engine.attempt(session, 'manual', ['summarize']);
    const tryWrite = engine.seam.tryWrite.bind(engine.seam);
    let busy = true;
    engine.seam.tryWrite = (fn, options) => (busy && saving.state.phase.at === 'saving' ? BUSY : tryWrite(fn, options));
    await engine.answerAll();
    expect(saving.state.phase.at).toBe('saving');
    await engine.pass(13_000, 100);
    jumps[name](engine);
    await engine.settle();
    expect(saving.state.phase.at).toBe('saving');
    busy = false;
    await engine.pass(1_000, 100);
    expect((await saving.outcome).kind).toBe('committed');
  });

  test.each(names)('in the grace: %s kills no worker that is about to let go', async (name) => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    attempt.cancel('user');
    await engine.pass(4_700, 100);
    jumps[name](engine);
    await engine.settle();
    expect(stream.killed).toBe(false);
    await engine.pass(200, 100);
    stream.settle({ t: 'stopped' });
    await engine.settle();
    expect(stream.killed).toBe(false);
    expect(lease().instanceId).toBeNull();
    expect(outcomes()).toEqual(['cancelled']);
  });

  test.each(names)('in the grace: after %s a worker that hears nothing is killed all the same', async (name) => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    attempt.cancel('user');
    await engine.pass(3_000, 100);
    jumps[name](engine);
    await engine.pass(5_000, 100);
    expect(stream.killed).toBe(true);
    expect(lease().instanceId).toBeNull();
  });

  test.each(names)('deferred for another’s lease: %s is not its TTL', async (name) => {
    // held by a process that is alive and, as long as nobody slept, silent
    engine.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 1, () => {});
    engine.leases.restartObservations();
    const other = new Engine(profile, engine.clock);
    other.extractAllowed = false;
    await other.send(session, 'does not fit');
    await other.settle();
    expect(other.turn(session.sessionId)).toMatchObject({ state: 'deferred', reason: { why: { kind: 'lease-held' } } });
    await engine.pass(40_000, 1_000);
    jumps[name](engine);
    other.leases.restartObservations(); // the other's beat, which hears of it as this one's does
    other.turns.lookAtLeases();
    await other.settle();
    expect(other.turn(session.sessionId)?.state).toBe('deferred');
    other.close();
  });

  test.each([
    ['an hour of sleep that the clock counts', 2_000],
    ['an hour of sleep that it does not count', 2_000],
    ['a wall clock set three days ahead', 2_000],
    ['a wall clock set three days back', 62_000],
  ] as const)('deferred for a backoff: after %s the turn goes on within %i ms', async (name, within) => {
    await engine.attempt(session, 'manual', ['summarize']);
    await engine.pass(30_000, 1_000); // stalled: a backoff of 60 s
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'stalled', durationMs: 60_000 });
    await engine.send(session, 'this does not fit');
    await engine.settle();
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'deferred', reason: { why: { kind: 'backoff' } } });
    const streams = engine.host.streams.length;
    await engine.pass(10_000, 1_000);
    jumps[name](engine);
    await engine.settle();
    await engine.pass(within, 1_000);
    expect(engine.host.streams.length).toBeGreaterThan(streams);
    await engine.answerAll();
    expect(engine.turn(session.sessionId)?.state).toBe('completed');
  });

  test('a backoff that was set in what is now the future lasts its own time once more, and no longer', async () => {
    await engine.attempt(session, 'manual', ['summarize']);
    await engine.pass(30_000, 1_000);
    engine.clock.jumpWall(-3 * DAY);
    expect((await engine.compress(session, 'must')).kind).toBe('paused');
    await engine.pass(59_000, 1_000);
    expect((await engine.compress(session, 'must')).kind).toBe('paused');
    await engine.pass(1_000, 1_000);
    expect((await engine.compress(session, 'must')).kind).toBe('running');
  });
});
