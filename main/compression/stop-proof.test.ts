import { afterEach, describe, expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { openForWriting } from '../db/open';
import type { CancelWhy, Job, StreamId } from '../hosts/protocol';
import { eachEngine } from '../testing/each-engine';
import { type Engine, GOOD_SUMMARY } from '../testing/engine';
import { ManualClock } from '../testing/manual-clock';
import type { TempProfile } from '../testing/profile';
import { SimulatedStream } from '../testing/simulated-host';
import type { AttemptRun } from './attempt';
import { GRACE } from './policy';
import { StopProof } from './stop-proof';

describe('proof that a worker has stopped', () => {
  let profile: TempProfile;
  let engine: Engine;
  let session: { sessionId: SessionId; branchId: BranchId };
  let before: string[];

  eachEngine((made, at) => {
    engine = made;
    profile = at;
    session = engine.session(40, 800);
    before = engine.texts(session.branchId);
  });
  afterEach(() => {
    expect(engine.texts(session.branchId)).toEqual(before);
  });

  const idle = async () => {
    await engine.settle();
    expect(engine.coordinator.running(session.sessionId)).toBeNull();
    expect(engine.lease(session.sessionId).instanceId).toBeNull();
    expect(engine.host.running).toHaveLength(0);
  };
  /** Of an attempt that must have ended by now. */
  const outcomeOf = async (attempt: AttemptRun) => {
    await engine.settle();
    expect(attempt.state.phase.at, engine.log.join('; ')).toBe('ended');
    return attempt.outcome;
  };

  test('P13 a worker that unwinds within the grace is joined before the attempt is', async () => {
    engine.extractAllowed = false;
    engine.models.change({ prefillRate: 10_000 });
    const attempt = await engine.attempt(session);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    stream.emit({ t: 'phase', phase: 'writing' });
    let joined = false;
    void attempt.joined.then(() => {
      joined = true;
    });
    // progress without an end: only the ceiling ends it
    for (let i = 0; i < 600 && stream.cancels.length === 0; i++) {
      await engine.pass(1_000);
      stream.emit({ t: 'text', text: 'x' });
    }
    expect(stream.cancels).toEqual(['ceiling']);
    await engine.settle();
    expect(joined).toBe(false);
    expect(engine.lease(session.sessionId).instanceId).toBe(engine.me);
    await engine.pass(80, 80);
    stream.settle({ t: 'stopped' });
    await engine.settle();
    expect(joined).toBe(true);
    expect(stream.killed).toBe(false);
    expect(await outcomeOf(attempt)).toEqual({ kind: 'failed', failure: 'ceiling-exhausted' });
    await idle();
  });

  test('P6 a cancelled worker that dies of its own timeout error counts as exited: its lease is free at once', async () => {
    const attempt = await engine.attempt(session);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    attempt.cancel('user');
    await engine.settle();
    expect(engine.lease(session.sessionId).instanceId).toBe(engine.me); // nothing is proved yet
    stream.dieOfTimeout();
    await engine.settle();
    expect(engine.lease(session.sessionId).instanceId).toBeNull();
    expect(stream.killed).toBe(false);
    await idle();
  });

  test('P6 a worker that had ended before the cancel counts as exited', async () => {
    const attempt = await engine.attempt(session);
    const blocker = openForWriting(profile.database);
    blocker.exec('BEGIN IMMEDIATE');
    engine.host.last.answer(GOOD_SUMMARY); // its notes wait for the database
    attempt.cancel('user');
    blocker.exec('ROLLBACK');
    blocker.close();
    await engine.pass(1_000, 100);
    expect(await outcomeOf(attempt)).toEqual({ kind: 'cancelled', by: 'user' });
    await idle();
  });

  test('P6 P14 a worker that cannot be interrupted keeps the lease until it is killed and its exit is seen', async () => {
    engine.extractAllowed = false;
    const attempt = await engine.attempt(session);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    stream.onKill = 'never';
    await engine.pass(30_000, 30_000); // silent while connecting
    expect(stream.cancels).toEqual(['idle']);
    await engine.pass(4_999, 4_999);
    expect(stream.killed).toBe(false);
    await engine.pass(1, 1);
    expect(stream.killed).toBe(true);
    await outcomeOf(attempt);
    await attempt.joined; // the grace is over: who waits goes on
    expect(engine.lease(session.sessionId).instanceId).toBe(engine.me); // outlasting the grace is no exit
    const again = await engine.attempt(session, 'manual', ['summarize']);
    expect(await outcomeOf(again)).toEqual({ kind: 'deferred', why: { kind: 'worker-exiting' } }); // no overlap
    stream.answer(GOOD_SUMMARY); // a late answer
    await engine.settle();
    expect(engine.shown(session.branchId)).toEqual([]);
    await idle();
  });

  test('P14 an attempt that a turn needs adopts the kept lease and makes an extract beside the dying worker', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    stream.onKill = 'never';
    attempt.cancel('user');
    await engine.pass(5_000, 5_000);
    expect(engine.lease(session.sessionId)).toMatchObject({ instanceId: engine.me, epoch: 1 });
    const next = await engine.attempt(session, 'must');
    expect((await outcomeOf(next)).kind).toBe('committed');
    expect(engine.lease(session.sessionId)).toMatchObject({ instanceId: engine.me, epoch: 1 }); // kept for the first one's proof
    stream.exit();
    await idle();
  });

  test('an adopted lease is not let go by the attempt that gave it up', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    attempt.cancel('user');
    await engine.settle();
    const starting = engine.compress(session, 'must');
    while (engine.coordinator.running(session.sessionId)?.state.phase.at !== 'planning') await Promise.resolve();
    stream.exit(); // the old worker's end is proved while the new attempt works under its lease
    const next = await starting;
    expect(next.kind === 'running' && (await outcomeOf(next.attempt)).kind).toBe('committed');
    await idle();
  });

  test('an attempt whose step throws ends, and the next one can begin', async () => {
    const acquire = engine.leases.tryAcquire.bind(engine.leases);
    engine.leases.tryAcquire = () => {
      throw new Error('disk I/O error');
    };
    const broken = await engine.attempt(session, 'must');
    expect(await outcomeOf(broken)).toEqual({ kind: 'failed', failure: 'commit-failed' });
    engine.leases.tryAcquire = acquire;
    const next = await engine.attempt(session, 'manual', ['extract']);
    expect((await outcomeOf(next)).kind).toBe('committed');
    await idle();
  });
});

describe('what a proof tells', () => {
  /** A worker that unwinds only when the test says so; `heard` = what its proof told, in order, and any error in hearing it. */
  const worker = () => {
    const clock = new ManualClock();
    const heard: string[] = [];
    const job: Job = {
      kind: 'summary',
      target: { kind: 'openai', address: 'http://127.0.0.1:1', model: 'test-model', key: null },
      messages: [],
      maxTokens: 1,
    };
    const stream = new SimulatedStream(1 as StreamId, job, (error) => heard.push(String(error)));
    stream.onCancel = 'ignore';
    const stop = (why: CancelWhy = 'user') =>
      new StopProof(stream, clock, why, {
        stopped: () => heard.push('stopped'),
        late: () => heard.push('late'),
        graceOver: () => heard.push('grace over'),
        unseen: () => heard.push('unseen'),
      });
    /** All that could still come has come, and nothing is armed any more. */
    const rest = () => {
      clock.advance(GRACE.cancelMs + GRACE.writeOffMs);
      expect(clock.armed).toBe(0);
    };
    return { clock, heard, stream, stop, rest };
  };

  test.each<[string, (stream: SimulatedStream) => void]>([
    ['unwinds', (stream) => stream.settle({ t: 'stopped' })],
    ['dies of its own error', (stream) => stream.dieOfTimeout()],
    ['exits well', (stream) => stream.exit(0)],
    ['exits badly', (stream) => stream.exit(1)],
  ])('a worker that %s within the grace has stopped, and is neither late nor out of its grace', (_name, end) => {
    const { clock, heard, stream, stop, rest } = worker();
    stop();
    clock.advance(GRACE.cancelMs - 1);
    expect(heard).toEqual([]);
    end(stream);
    expect(heard).toEqual(['stopped']);
    rest();
    expect(heard).toEqual(['stopped']);
  });

  test('an answer that comes in spite of the cancel is late, then the worker has stopped', () => {
    const { heard, stream, stop, rest } = worker();
    stop();
    stream.answer(GOOD_SUMMARY);
    rest();
    expect(heard).toEqual(['late', 'stopped']);
  });

  test('signs of life prove nothing', () => {
    const { heard, stream, stop } = worker();
    stop();
    stream.emit({ t: 'alive' });
    stream.emit({ t: 'text', text: 'still writing' });
    expect(heard).toEqual([]);
  });

  test('a worker that unwinds in the step of its cancel is told as stopped once', () => {
    const { heard, stream, stop, rest } = worker();
    stream.onCancel = 'stop';
    stop();
    rest();
    expect(heard).toEqual(['stopped']);
  });

  test('one that had ended before is told as stopped once, and not in the step that asks', () => {
    const { clock, heard, stream, stop, rest } = worker();
    stream.answer(GOOD_SUMMARY);
    stop();
    expect(heard).toEqual([]);
    clock.turn();
    expect(heard).toEqual(['stopped']);
    rest();
    expect(heard).toEqual(['stopped']);
  });

  test.each(['user', 'quit'] as const)(
    'the grace of a cancel (%s) ends once; the exit after it is the proof',
    (why) => {
      const { clock, heard, stream, stop, rest } = worker();
      stop(why);
      clock.advance((why === 'quit' ? GRACE.quitMs : GRACE.cancelMs) - 1);
      expect(heard).toEqual([]);
      clock.advance(1);
      expect(heard).toEqual(['grace over']);
      rest();
      stream.exit();
      expect(heard).toEqual(['grace over', 'stopped']);
    },
  );

  test('an exit that a kill brings at once is the proof: nothing is written off later', () => {
    const { clock, heard, stream, stop, rest } = worker();
    const proof = stop();
    clock.advance(GRACE.cancelMs);
    proof.kill();
    expect(stream.killed).toBe(true);
    expect(heard).toEqual(['grace over', 'stopped']);
    expect(clock.armed).toBe(0);
    rest();
    expect(heard).toEqual(['grace over', 'stopped']);
  });

  test('a kill whose exit nobody sees is written off after its time, and proved by an exit that comes yet', () => {
    const { clock, heard, stream, stop, rest } = worker();
    stream.onKill = 'never';
    const proof = stop();
    clock.advance(GRACE.cancelMs);
    proof.kill();
    clock.advance(GRACE.writeOffMs - 1);
    expect(heard).toEqual(['grace over']);
    rest();
    expect(heard).toEqual(['grace over', 'unseen']);
    stream.exit();
    expect(heard).toEqual(['grace over', 'unseen', 'stopped']);
  });

  test('what has stopped is not killed any more', () => {
    const { clock, heard, stream, stop, rest } = worker();
    const proof = stop();
    stream.settle({ t: 'stopped' });
    proof.kill();
    expect(stream.killed).toBe(false);
    expect(clock.armed).toBe(0);
    rest();
    expect(heard).toEqual(['stopped']);
  });
});
