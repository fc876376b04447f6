/** False, double and missing outcomes that users of comparable apps ran into, on the product's engine. */
import { expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { all } from '../db/database';
import { BUSY } from '../db/write-seam';
import { eachEngine } from '../testing/each-engine';
import { type Engine, GOOD_SUMMARY } from '../testing/engine';

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

type Session = { sessionId: SessionId; branchId: BranchId };
const lease = (session: Session, kind: 'turn' | 'compression' = 'compression') => engine.lease(session.sessionId, kind);
const summaries = () => engine.host.streams.filter((stream) => stream.job.kind === 'summary');

test('S2 stopped in the middle and started again: the session is idle, and nothing is called by itself', async () => {
  const session = engine.session(40, 800);
  await engine.send(session, 'this needs a compression');
  await engine.settle();
  expect(engine.turn(session.sessionId)?.state).toBe('compressing');
  await engine.turns.stop(session.sessionId);
  await engine.settle();
  const idle = () => {
    expect(engine.turn(session.sessionId)?.state).toBe('stopped');
    expect(engine.attempts(session.sessionId).map(({ outcome }) => outcome?.kind)).toEqual(['cancelled']);
    expect([lease(session), lease(session, 'turn')].map(({ instanceId }) => instanceId)).toEqual([null, null]);
    expect(engine.host.running).toEqual([]);
  };
  idle();
  expect(engine.requests()).toEqual([]);
  engine = engine.restart();
  await engine.pass(120_000, 10_000);
  idle();
  expect(engine.host.streams).toEqual([]);
  expect(engine.texts(session.branchId).at(-1)).toBe('this needs a compression');
});

test('S13 after a deadline one attempt lives; the late answer of the other is refused, and logged once as that', async () => {
  engine.extractAllowed = false;
  const session = engine.session(40, 800);
  await engine.attempt(session, 'manual', ['summarize']);
  const old = engine.host.last;
  old.onCancel = 'ignore';
  await engine.pass(30_000, 30_000); // silent while connecting
  expect(old.cancels).toEqual(['idle']);
  const second = await engine.attempt(session, 'manual', ['summarize']);
  expect(await second.outcome).toEqual({ kind: 'deferred', why: { kind: 'worker-exiting' } });
  expect(summaries()).toHaveLength(1);
  old.answer(GOOD_SUMMARY);
  await engine.settle();
  expect(engine.log.filter((line) => line.includes('refused'))).toHaveLength(1);
  expect(engine.shown(session.branchId)).toEqual([]);

  const third = await engine.attempt(session, 'manual', ['summarize']);
  expect(engine.coordinator.all()).toEqual([third]);
  expect(engine.host.running).toHaveLength(1);
  await engine.answerAll();
  expect((await third.outcome).kind).toBe('committed');
  expect(engine.attempts(session.sessionId).map(({ outcome }) => outcome?.kind)).toEqual([
    'committed',
    'deferred',
    'failed',
  ]);
});

test('S15 listeners that throw, or never come back, hold back neither the commit nor a stop', async () => {
  const session = engine.session(40, 800);
  const never = new Promise<void>(() => {});
  const deaf = () => {
    engine.host.last.on(() => never);
    engine.host.last.on(() => {
      throw new Error('a listener failed');
    });
  };
  const { error } = console;
  console.error = () => {}; // where the emitter of these streams reports them
  try {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    while (engine.host.running.length > 0) {
      deaf();
      engine.host.last.answer(GOOD_SUMMARY);
      await engine.settle();
    }
    expect((await attempt.outcome).kind).toBe('committed');
    engine.fill(session.sessionId, session.branchId, 40, 800);
    const stopped = await engine.attempt(session, 'manual', ['summarize']);
    deaf();
    stopped.cancel('user');
    await engine.settle();
    expect(await stopped.outcome).toEqual({ kind: 'cancelled', by: 'user' });
    expect(lease(session).instanceId).toBeNull();
    expect(engine.clock.monotonic()).toBe(0); // no time had to pass for any of it
  } finally {
    console.error = error;
  }
});

test('S29 the database is busy at the commit, ten times over: rows and view stay as they were, and no model is asked twice', async () => {
  const session = engine.session(40, 800);
  const counts = () =>
    all(
      engine.db,
      `SELECT (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM summaries) AS summaries,
         (SELECT count(*) FROM messages_fts) AS indexed, (SELECT count(*) FROM leases WHERE instance_id IS NOT NULL) AS held`,
    );
  const before = { counts: counts(), texts: engine.texts(session.branchId) };
  const tryWrite = engine.seam.tryWrite.bind(engine.seam);
  let busy = true;
  engine.seam.tryWrite = (fn, options) =>
    busy && engine.coordinator.running(session.sessionId)?.state.phase.at === 'saving' ? BUSY : tryWrite(fn, options);
  let asked = 0;
  for (let time = 1; time <= 10; time++) {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    await engine.answerAll();
    expect(attempt.state.phase.at).toBe('saving');
    await engine.pass(16_000, 320);
    expect(await attempt.outcome).toEqual({ kind: 'failed', failure: 'commit-failed' });
    await engine.settle();
    expect(engine.shown(session.branchId)).toEqual([]);
    expect(counts()).toEqual(before.counts);
    expect(engine.texts(session.branchId)).toEqual(before.texts);
    if (time === 1) asked = summaries().length;
    expect(summaries()).toHaveLength(asked); // what was paid for is kept
  }
  busy = false;
  const last = await engine.attempt(session, 'manual', ['summarize']);
  expect((await last.outcome).kind).toBe('committed');
  expect(summaries()).toHaveLength(asked);
  expect(engine.texts(session.branchId)).toEqual(before.texts);
});
