import { describe, expect, test } from 'vitest';
import type { Strategy } from '../../shared/model/compression';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { openForWriting } from '../db/open';
import { eachEngine } from '../testing/each-engine';
import { Engine, GOOD_SUMMARY } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { LEASE } from './policy';

let profile: TempProfile;
let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made, at) => {
  engine = made;
  profile = at;
  session = engine.session(40, 800);
});

const lease = () => engine.lease(session.sessionId);
const key = () => ({ session: session.sessionId, kind: 'compression' }) as const;
const shownBy = () => engine.shown(session.branchId).map(({ author }) => author);
/** The running stream, which from now on hears nothing. */
const deafen = () => {
  const stream = engine.host.last;
  stream.onCancel = 'ignore';
  stream.onKill = 'never';
  return stream;
};
/** An attempt that was cancelled and whose worker hears nothing. */
const unproved = async () => {
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  const stream = deafen();
  attempt.cancel('user');
  await engine.settle();
  return { attempt, stream };
};
/** Another window takes the lease over, which it saw still for one TTL while this one hung. */
const takeOver = () => {
  const other = new Engine(profile);
  other.leases.tryAcquire(key(), 7, () => {});
  other.clock.advance(LEASE.ttlMs);
  const got = other.leases.tryAcquire(key(), 7, () => {});
  if (got.kind !== 'acquired') throw new Error(got.kind);
  return other;
};

describe('the lease of a worker that is not proved stopped', () => {
  test('is handed over by an ended attempt only, and once', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    const stream = deafen();
    expect(attempt.keepsLease).toBe(false);
    expect(attempt.giveUpLease()).toBeNull();
    attempt.cancel('user');
    await engine.settle();
    expect(attempt.keepsLease).toBe(true);
    expect(attempt.giveUpLease()?.holding).toMatchObject({ epoch: 1 });
    expect(attempt.keepsLease).toBe(false);
    expect(attempt.giveUpLease()).toBeNull();
    stream.exit();
  });

  test.each(['must', 'manual'] as const)(
    'serves one %s attempt without a model; the next one waits for the proof',
    async (need) => {
      const { stream } = await unproved();
      expect(engine.coordinator.awaitsProof(session.sessionId)).toBe(false); // an extract may be made
      const next = await engine.attempt(session, need, need === 'must' ? null : ['extract']);
      expect((await next.outcome).kind).toBe('committed');
      expect(shownBy()).toEqual(['extract']);
      expect(lease()).toMatchObject({ instanceId: engine.me, epoch: 1 });

      engine.fill(session.sessionId, session.branchId, 20, 800);
      expect(engine.coordinator.awaitsProof(session.sessionId)).toBe(true);
      const third = await engine.attempt(session, 'must');
      expect(await third.outcome).toEqual({ kind: 'deferred', why: { kind: 'worker-exiting' } });
      stream.exit();
      await engine.settle();
      expect(lease().instanceId).toBeNull();
      expect(engine.coordinator.awaitsProof(session.sessionId)).toBe(false);
    },
  );

  test('stays its own when the attempt commits an extract beside it', async () => {
    const attempt = await engine.attempt(session, 'must');
    const stream = deafen();
    await engine.pass(30_000, 30_000); // silent while connecting
    expect((await attempt.outcome).kind).toBe('committed');
    expect(shownBy()).toEqual(['extract']);
    expect(lease()).toMatchObject({ instanceId: engine.me, epoch: 1 });
    stream.exit();
    await engine.settle();
    expect(lease().instanceId).toBeNull();
  });

  test('is no longer kept once another window has taken it: nobody here may work under it', async () => {
    await engine.attempt(session, 'manual', ['summarize']);
    const stream = deafen();
    const attempt = engine.coordinator.running(session.sessionId);
    const other = takeOver();
    await engine.pass(LEASE.renewMs);
    expect(await attempt?.outcome).toEqual({ kind: 'failed', failure: 'lease-lost' });
    expect(attempt?.keepsLease).toBe(false);
    expect(engine.coordinator.awaitsProof(session.sessionId)).toBe(true);
    stream.exit();
    other.close();
  });
});

test('a lease that is found lost stops the worker at once, and is not released', async () => {
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  const stream = engine.host.last;
  const other = takeOver();
  await engine.pass(LEASE.renewMs);
  expect(stream.cancels).toEqual(['lease-lost']);
  expect(await attempt.outcome).toEqual({ kind: 'failed', failure: 'lease-lost' });
  expect(lease().instanceId).toBe(other.me);
  other.close();
});

test('one that a person began waits until a summarizer is free, and begins then', async () => {
  engine.models.change({ oneAtATime: false });
  const [one, other] = [engine.session(40, 800), engine.session(40, 800)];
  for (const working of [one, other]) await engine.attempt(working, 'manual', ['summarize']);
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  await engine.pass(29_000, 29_000); // far longer than a turn would wait
  expect(attempt.state.phase.at).toBe('waiting');
  expect(lease().instanceId).toBeNull();
  engine.coordinator.cancel(one.sessionId, null, 'user');
  await engine.settle();
  expect(attempt.state.phase.at).toBe('summarizing');
  engine.coordinator.cancel(other.sessionId, null, 'user');
  await engine.answerAll();
  expect((await attempt.outcome).kind).toBe('committed');
  expect(shownBy()).toEqual(['model']);
});

/** An attempt that has only begun: its lease is asked for again and again. */
const begins = async () => {
  const tryAcquire = engine.leases.tryAcquire.bind(engine.leases);
  engine.leases.tryAcquire = () => ({ kind: 'busy' });
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  engine.leases.tryAcquire = tryAcquire;
  expect(attempt.state.phase.at).toBe('acquiring');
};

test('sleep ends the patience of all attempts, also of those that hold no lease yet', async () => {
  const other = await engine.attempt(engine.session(40, 800), 'manual', ['summarize']);
  engine.clock.advance(3_000);
  await begins();
  engine.coordinator.slept();
  expect(other.progress.lastSubstance).toBe(3_000);
});

test('a chat goes out while an attempt on the same file has only begun', async () => {
  engine.models.change({ target: { kind: 'embedded', path: '/models/test.gguf', askWindow: 8_192, threads: 2 } });
  await begins();
  await engine.send(engine.session(), 'a short question');
  await engine.settle();
  expect(engine.requests()).toHaveLength(1);
});

test('P16 the user’s stop of a second model counts also where the first ran into its ceiling', async () => {
  const own = engine.models.facts();
  engine.secondModel = { ...own, ref: { ...own.ref, model: 'second' } };
  engine.models.change({ prefillRate: 10_000 });
  const attempt = await engine.attempt(session, 'must');
  const first = engine.host.last;
  first.emit({ t: 'phase', phase: 'writing' });
  for (let i = 0; i < 60 && first.cancels.length === 0; i++) {
    await engine.pass(20_000, 20_000);
    first.emit({ t: 'text', text: 'x' }); // progress without an end
  }
  expect(first.cancels).toEqual(['ceiling']);
  await engine.settle();
  expect(engine.host.streams).toHaveLength(2);
  attempt.cancel('user');
  await engine.settle();
  expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'stall-interrupted', rung: 1 });
});

describe('what was allowed in spite of a backoff', () => {
  /** The wish once more, after its model stalled. */
  const stalled = async (bypass: boolean) => {
    engine.extractAllowed = false;
    const { spec } = await engine.attempt(session, 'must');
    await engine.pass(30_000, 30_000);
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'stalled', bypassed: false });
    await engine.coordinator.start({ ...spec, need: bypass ? 'must' : 'manual', bypass });
    await engine.settle();
    expect(engine.host.streams).toHaveLength(2);
    return engine.backoff(session.sessionId);
  };
  test('is spent once the model is asked', async () => {
    expect(await stalled(true)).toMatchObject({ bypassed: true });
  });
  test('is not spent by what a person asks for', async () => {
    expect(await stalled(false)).toMatchObject({ bypassed: false });
  });
});

describe('the end', () => {
  test.each<[string, boolean, Strategy, () => void]>([
    ['committed', false, 'summarize', () => {}],
    ['proposed', true, 'summarize', () => {}],
    ['committed', false, 'extract', () => {}],
    ['cancelled', false, 'summarize', () => engine.coordinator.cancel(session.sessionId, null, 'user')],
    ['failed', false, 'summarize', () => engine.host.last.dieOfTimeout()],
  ])(
    'of an attempt that is %s (review: %s, by %s) is stored once, and nothing of it stays armed',
    async (kind, review, by, ends) => {
      engine.extractAllowed = false;
      engine.setReview(session.sessionId, review);
      await engine.pass(1_000);
      const { armed } = engine.clock;
      const attempt = await engine.attempt(session, 'manual', [by]);
      ends();
      await engine.settle();
      await engine.answerAll(GOOD_SUMMARY);
      expect((await attempt.outcome).kind).toBe(kind);
      expect(engine.ended.map((outcome) => outcome.kind)).toEqual([kind]);
      expect(engine.attempts(session.sessionId)).toMatchObject([{ outcome: { kind } }]);
      expect(engine.log.filter((line) => line.includes('not stored'))).toEqual([]);
      expect(engine.clock.armed).toBe(armed);
      expect(lease().instanceId).toBeNull();
    },
  );
});

describe('what other windows and a recovery see of an attempt', () => {
  const row = () => engine.attempts(session.sessionId)[0];

  test('is there from the plan on', async () => {
    const begun = engine.attempt(session, 'manual', ['summarize']);
    for (let turns = 0; engine.coordinator.running(session.sessionId)?.state.phase.at !== 'planning'; turns++) {
      if (turns > 2_000) throw new Error('it never plans');
      await Promise.resolve();
    }
    expect(row()).toMatchObject({ epoch: 1, phase: 'reading', chunks: 0 });
    await begun;
  });
  test('is as new as the newest checkpoint', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    for (let done = 0; done < 2; done++) {
      expect(row()).toMatchObject({ strategy: 'summarize', chunksDone: done, chunks: 3 });
      engine.host.last.answer(GOOD_SUMMARY);
      await engine.settle();
    }
    expect(row()).toMatchObject({ chunksDone: 2, chunks: 3 });
    attempt.cancel('user');
    await engine.settle();
    expect(attempt.view()).toMatchObject({ phase: 'ended', chunksDone: 2 });
  });
});

test('a part whose notes could not be stored is not counted', async () => {
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  engine.db.exec("CREATE TRIGGER full BEFORE INSERT ON summary_chunks BEGIN SELECT RAISE(ABORT, 'no room'); END");
  engine.host.last.answer(GOOD_SUMMARY);
  await engine.settle();
  expect(attempt.view()).toMatchObject({ phase: 'ended', chunksDone: 0, chunks: 3 });
  expect(await attempt.outcome).toEqual({ kind: 'failed', failure: 'commit-failed' });
});

test('the end of an attempt is written before what waited longer', async () => {
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  const blocker = openForWriting(profile.database);
  blocker.exec('BEGIN IMMEDIATE');
  let seen: unknown;
  const waited = engine.seam.write('another session', () => {
    seen = engine.attempts(session.sessionId)[0]?.outcome;
  });
  attempt.cancel('user');
  await engine.settle();
  blocker.exec('ROLLBACK');
  blocker.close();
  await engine.pass(320);
  await waited;
  expect(seen).toEqual({ kind: 'cancelled', by: 'user' });
});
