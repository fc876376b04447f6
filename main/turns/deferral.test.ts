import { afterEach, describe, expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { TestTool } from '../testing/test-tool';

type Session = { sessionId: SessionId; branchId: BranchId };

const OVERFLOW = { t: 'failed', kind: 'refused', cause: 'overflow', name: 'Error', message: 'too long' } as const;

/** The places after the first at which another process may hold the lease: each costs no attempt and blocks nothing. */
describe('a turn that finds the lease taken', () => {
  let profile: TempProfile;
  let engine: Engine;
  let other: Engine;

  eachEngine((made, at) => {
    engine = made;
    profile = at;
    other = new Engine(profile, engine.clock);
  });
  afterEach(() => {
    other.close();
  });

  const take = (session: Session) => {
    const got = other.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 1, () => {});
    if (got.kind !== 'acquired') throw new Error(got.kind);
    return async () => {
      await got.lease.release();
      engine.turns.lookAtLeases(); // the beat saw the database move
      await engine.settle();
    };
  };
  const turn = (session: Session) => engine.turn(session.sessionId);
  const sent = (index: number) => {
    const { job } = engine.requests().at(index) ?? {};
    return job?.kind === 'chat' ? job.messages : [];
  };
  /** It waits, whatever time passes; then exactly one more request leaves, and the turn ends well. */
  const goesOnAfter = async (session: Session, letGo: () => Promise<void>, newest: string) => {
    const before = engine.requests().length;
    const rows = engine.texts(session.branchId);
    await engine.pass(40_000, 5_000);
    expect(engine.requests()).toHaveLength(before);
    expect(turn(session)).toMatchObject({
      state: 'deferred',
      reason: { why: { kind: 'lease-held', holder: other.me } },
    });
    expect(engine.texts(session.branchId)).toEqual(rows);
    await letGo();
    for (let i = 0; i < 9 && engine.requests().length === before; i++) {
      engine.host.last.answer('## Goal\n- The words of the first message matter.');
      await engine.settle();
    }
    expect(engine.requests()).toHaveLength(before + 1);
    expect(
      sent(-1)
        .findLast(({ role }) => role === 'user')
        ?.content.endsWith(newest),
    ).toBe(true);
    await engine.answerAll('ok');
    expect(turn(session)).toMatchObject({ state: 'completed' });
  };

  test('P26 in the last check before a request: refunded, and sent as it is once it has waited', async () => {
    const session = engine.session(24, 800);
    const long = `${'words '.repeat(3_200)}end`; // with what is kept, still over the hard mark after the first attempt
    let letGo = async () => {};
    engine.onEnded = (outcome) => {
      if (outcome.kind === 'committed') letGo = take(session);
    };
    await engine.send(session, long);
    await engine.settle();
    while (engine.host.running.some(({ job }) => job.kind === 'summary')) {
      engine.host.last.answer('## Goal\n- The words of the first message matter.');
      await engine.settle();
    }
    expect(engine.requests()).toHaveLength(0);
    expect(turn(session)).toMatchObject({
      state: 'deferred',
      attempts: 1,
      reason: { why: { kind: 'lease-held', fits: true } },
    });
    await engine.pass(10_000);
    expect(engine.requests()).toHaveLength(1);
    expect(sent(0).at(-1)?.content.endsWith(long)).toBe(true);
    await engine.answerAll('ok');
    expect(turn(session)).toMatchObject({ state: 'completed', attempts: 1 });
    await letGo();
  });

  test.each([
    ['P27 after HTTP 413', { status: 413 }],
    ['P28 after a context overflow', { status: 400, needTokens: 9_000 }],
  ])('%s: deferred, not failed; refunded, so that one attempt left still leaves the retry', async (_, fields) => {
    const session = engine.session(12, 800);
    const long = `${'words '.repeat(200)}end`;
    await engine.send(session, long); // over the hard mark: one of its two attempts fails, and it goes out as it is
    await engine.settle();
    engine.host.last.dieOfTimeout();
    await engine.settle();
    expect(engine.requests()).toHaveLength(1);
    expect(turn(session)).toMatchObject({ attempts: 1 });
    const letGo = take(session);
    engine.host.last.settle({ ...OVERFLOW, fields });
    await engine.settle();
    expect(turn(session)).toMatchObject({ state: 'deferred', attempts: 1, endedAt: null });
    await goesOnAfter(session, letGo, long);
    expect(turn(session)).toMatchObject({ attempts: 2 });
  });

  test('P29 after tool results: they are kept, and the same turn goes on', async () => {
    const tool = new TestTool();
    engine.tools = [tool];
    const session = engine.session(7, 1_200);
    await engine.send(session, 'patient words');
    await engine.settle();
    engine.host.last.call([0, 1, 2, 3].map((n) => ['probe', { n }] as const));
    await engine.settle();
    const letGo = take(session);
    for (let i = 0; i < 4; i++) {
      tool.last.resolve('result '.repeat(400));
      await engine.settle();
    }
    expect(turn(session)).toMatchObject({ state: 'deferred', attempts: 0 });
    expect(tool.runs).toHaveLength(4);
    await goesOnAfter(session, letGo, 'patient words');
    expect(tool.runs).toHaveLength(4); // none was made again
    expect(sent(-1).filter(({ role }) => role === 'tool')).toHaveLength(4);
  });
});

describe('a proven overflow while compression is paused', () => {
  let profile: TempProfile;
  let engine: Engine;
  eachEngine((made, at) => {
    engine = made;
    profile = at;
  });

  const summaries = () => engine.host.streams.filter(({ job }) => job.kind === 'summary').length;
  const pause = async (session: Session) => {
    const first = await engine.attempt(session, 'must');
    engine.host.last.dieOfTimeout();
    await first.outcome;
    await engine.settle();
    for (const summary of engine.shown(session.branchId))
      engine.write((tx) => tx.prepare(`UPDATE summaries SET state = 'undone' WHERE id = ?`).run(summary.id));
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'stalled', bypassed: false });
  };

  test('P24 the summarizer is called exactly once, and ordinary pressure calls it never', async () => {
    const session = engine.session(12, 800);
    await pause(session);
    const before = summaries();
    await engine.send(session, `${'words '.repeat(200)}end`); // over the hard mark: it goes out as it is
    await engine.settle();
    expect(summaries()).toBe(before);
    expect(engine.requests()).toHaveLength(1);
    for (let i = 0; i < 20 && engine.host.running.length > 0; i++) {
      for (const stream of engine.host.running) {
        if (stream.job.kind === 'chat') stream.settle({ ...OVERFLOW, fields: {} });
        else stream.dieOfTimeout();
      }
      await engine.settle();
    }
    expect(summaries()).toBe(before + 1);
  });

  test('P24 a deferral in between does not spend it', async () => {
    const session = engine.session(12, 800);
    await pause(session);
    const before = summaries();
    await engine.send(session, 'short');
    await engine.settle();
    const other = new Engine(profile, engine.clock);
    const got = other.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 1, () => {});
    engine.host.last.settle({ ...OVERFLOW, fields: {} });
    await engine.settle();
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'deferred', bypassed: false });
    expect(engine.backoff(session.sessionId)).toMatchObject({ bypassed: false });
    if (got.kind === 'acquired') await got.lease.release();
    engine.turns.lookAtLeases();
    await engine.settle();
    expect(summaries()).toBe(before + 1);
    await engine.answerAll();
    other.close();
  });
});

describe('cancelled, quit and started again', () => {
  test('P36 three times over: nothing is called by itself, the pause is recorded, and the message leaves at a click', async () => {
    const profile = new TempProfile();
    let engine = new Engine(profile);
    const session = engine.session(60, 800);
    await engine.send(session, 'the kept message');
    await engine.settle();
    for (let round = 0; round < 3; round++) {
      engine.coordinator.cancel(session.sessionId, null, 'user'); // stops the turn that needs it
      await engine.settle();
      const begun = await engine.compress(session, 'must');
      const ending = Promise.all([engine.turns.quit(), engine.coordinator.quit()]);
      await engine.pass(1_000, 100);
      await ending;
      if (begun.kind === 'running' && begun.attempt.spec.row.includes('summarize'))
        expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'interrupted', rung: 1 });
      engine = engine.restart();
      await engine.pass(20_000, 5_000);
      expect(engine.host.streams).toHaveLength(0); // no call by itself
      expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'interrupted', rung: 1 });
      expect(engine.texts(session.branchId).at(-1)).toBe('the kept message');
    }
    const clicked = engine.clock.monotonic();
    await engine.turns.sendAgain(session.sessionId, session.branchId);
    await engine.settle();
    expect(engine.requests()).toHaveLength(1); // it does not fit: by extract, without a model
    expect(engine.clock.monotonic() - clicked).toBeLessThan(5_000);
    const { job } = engine.host.last;
    expect(job.kind === 'chat' && job.messages.at(-1)?.content).toBe('the kept message');
    expect(engine.shown(session.branchId)).toMatchObject([{ author: 'extract' }]);
    await engine.answerAll('ok');
    engine.close();
    profile.remove();
  });
});
