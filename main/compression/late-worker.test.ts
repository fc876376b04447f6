import { describe, expect, test } from 'vitest';
import type { BranchId, InstanceId, SessionId } from '../../shared/model/ids';
import { all } from '../db/database';
import { acquireLease, releaseLease } from '../db/leases-table';
import { eachEngine } from '../testing/each-engine';
import { type Engine, GOOD_SUMMARY } from '../testing/engine';

type Session = { sessionId: SessionId; branchId: BranchId };

describe('workers that are blocked, and what they bring late', () => {
  let engine: Engine;
  eachEngine((made) => {
    engine = made;
  });

  /** An attempt whose worker hears nothing; its stream. */
  const blocked = async (session: Session, need: 'must' | 'manual' = 'manual') => {
    const attempt = await engine.attempt(session, need, ['summarize']);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    stream.onKill = 'never';
    return { attempt, stream };
  };
  const lease = (session: Session) => engine.lease(session.sessionId);

  for (let run = 1; run <= 10; run++)
    test(`P9 every summarizer is blocked for ever: turns go on, and the lease is taken anew before the old worker speaks (run ${run})`, async () => {
      engine.models.change({ oneAtATime: false }); // their chats do not wait for each other
      const one = engine.session(40, 800);
      const other = engine.session(40, 800);
      const third = engine.session(40, 800);
      const { stream: old } = await blocked(one);
      const { stream: stuck } = await blocked(other);
      await engine.pass(30_000, 30_000); // silent while connecting
      expect([old.cancels, stuck.cancels]).toEqual([['idle'], ['idle']]);

      // a turn in the session of the blocked worker, and one that finds no summarizer free
      await engine.send(one, 'does this go on?');
      await engine.send(third, 'and this?');
      await engine.settle();
      await engine.pass(2_000, 1_000);
      const chats = engine.requests();
      expect(chats.map(({ job }) => job.kind === 'chat' && job.messages.at(-1)?.content)).toEqual([
        'does this go on?',
        'and this?',
      ]);
      expect(engine.shown(one.branchId).map(({ author }) => author)).toEqual(['extract']);
      for (const chat of chats) chat.answer('it does');
      await engine.settle();

      // killed after the grace; its lease stays until the end is proved, and is free then: no slot is waited for
      await engine.pass(3_000, 1_000);
      expect([old.killed, stuck.killed]).toEqual([true, true]);
      expect(lease(one).instanceId).toBe(engine.me);
      old.exit();
      await engine.settle();
      expect(stuck.end).toBeNull();
      expect(lease(one).instanceId).toBeNull();

      const before = lease(one).epoch;
      const next = await engine.attempt(one, 'manual', ['summarize']);
      const { epoch } = lease(one);
      expect(epoch).toBe(before + 1);
      const shown = engine.shown(one.branchId).map(({ id }) => id);
      old.emitLate({ t: 'text', text: 'late words' });
      old.emitLate({ t: 'settled', end: { t: 'result', value: { text: GOOD_SUMMARY }, finish: 'stop' } });
      await engine.settle();
      expect(lease(one)).toMatchObject({ instanceId: engine.me, runId: next.spec.id, epoch });
      expect(engine.shown(one.branchId).map(({ id }) => id)).toEqual(shown);
      expect(engine.coordinator.running(one.sessionId)).toBe(next);
      engine.coordinator.cancel(one.sessionId, next.spec.id, 'user');
      stuck.exit();
      await engine.settle();
      expect([lease(one), lease(other), lease(third)].map(({ instanceId }) => instanceId)).toEqual([null, null, null]);
    });

  test('P10 a worker that is let go later clears no backoff, frees no newer lease, publishes nothing, and is cleaned up once', async () => {
    const session = engine.session(40, 800);
    engine.db.exec(`CREATE TEMP TABLE let_go (epoch INTEGER);
      CREATE TEMP TRIGGER frees AFTER UPDATE OF instance_id ON leases WHEN OLD.kind = 'compression'
        AND OLD.instance_id IS NOT NULL AND NEW.instance_id IS NULL BEGIN INSERT INTO let_go VALUES (OLD.epoch); END;`);
    const letGo = () => all<{ epoch: number }>(engine.db, 'SELECT epoch FROM let_go').map(({ epoch }) => epoch);
    const { attempt, stream } = await blocked(session);
    await engine.pass(30_000, 30_000);
    expect((await attempt.outcome).kind).toBe('failed');
    const backoff = engine.backoff(session.sessionId);
    expect(backoff).toMatchObject({ kind: 'stalled', rung: 1 });

    // a newer attempt works under the lease that was kept for the old worker
    const starting = engine.compress(session, 'must');
    while (engine.coordinator.running(session.sessionId)?.state.phase.at !== 'planning') await Promise.resolve();
    const newer = engine.coordinator.running(session.sessionId);
    stream.answer(GOOD_SUMMARY); // the old worker's own success, and with it the proof of its end
    await Promise.resolve();
    expect(lease(session)).toMatchObject({ instanceId: engine.me, epoch: 1 });
    expect(newer?.state.holds).toBe(true);
    await starting;
    expect((await newer?.outcome)?.kind).toBe('committed');
    await engine.settle();
    expect(engine.shown(session.branchId).map(({ author }) => author)).toEqual(['extract']);
    expect(engine.backoff(session.sessionId)).toEqual(backoff);
    expect(engine.ended.map(({ kind }) => kind)).toEqual(['failed', 'committed']);
    expect(letGo()).toEqual([1]);

    const published = engine.published.length;
    stream.emitLate({ t: 'settled', end: { t: 'exited', code: 0, killedByUs: true } });
    await engine.pass(60_000, 10_000);
    expect(engine.published).toHaveLength(published);
    expect(letGo()).toEqual([1]);
  });

  test.each([
    ['the app quits', async () => engine.coordinator.quit(), { kind: 'cancelled', by: 'quit' }],
    [
      'what waits for it unwinds',
      async ({ sessionId }: Session) => engine.coordinator.cancel(sessionId, null, 'unwind'),
      { kind: 'cancelled', by: 'unwind' },
    ],
    [
      'a step of it throws',
      async ({ sessionId }: Session) => engine.coordinator.running(sessionId)?.dispatch({ in: 'data-failed' }),
      { kind: 'failed', failure: 'commit-failed' },
    ],
  ] as const)('P12 when %s, its admission is revoked and its lease let go', async (_name, unwind, outcome) => {
    const session = engine.session(40, 800);
    const { attempt, stream } = await blocked(session);
    stream.onCancel = 'stop';
    const waiting = unwind(session);
    await engine.settle();
    await waiting;
    expect(attempt.fence.state).toBe('cancelled');
    expect(attempt.fence.commit(() => 'written')).toEqual({ kind: 'refused' });
    expect(stream.cancels).toHaveLength(1);
    expect(await attempt.outcome).toEqual(outcome);
    expect(lease(session).instanceId).toBeNull();
    stream.emitLate({ t: 'settled', end: { t: 'result', value: { text: GOOD_SUMMARY }, finish: 'stop' } });
    await engine.settle();
    expect(engine.shown(session.branchId)).toEqual([]);
    expect(engine.backoff(session.sessionId)?.rung).toBe(1);
  });

  test('P12 with a worker that hears nothing the release stays armed until its end is proved', async () => {
    const session = engine.session(40, 800);
    const { attempt, stream } = await blocked(session);
    engine.coordinator.cancel(session.sessionId, null, 'unwind');
    await engine.settle();
    expect(attempt.fence.state).toBe('cancelled');
    expect(lease(session).instanceId).toBe(engine.me);
    await engine.pass(5_000, 5_000);
    expect(stream.killed).toBe(true);
    stream.exit();
    await engine.settle();
    expect(lease(session).instanceId).toBeNull();
  });

  test('P23 a deferral of one attempt is no mark on the next: outcomes are values', async () => {
    const session = engine.session(40, 800);
    const elsewhere = { session: session.sessionId, kind: 'compression', run: 99 } as const;
    const holder = '99999999-9999-4999-8999-999999999999' as InstanceId;
    // held by a process that is not proved dead
    const recover = engine.leases.tryAcquire.bind(engine.leases);
    engine.leases.tryAcquire = () => ({ kind: 'held', holder });
    const epoch = engine.write((tx) => acquireLease(tx, { ...elsewhere, instance: holder, now: 1 }, null));
    await engine.send(session, 'sent while another window compresses');
    await engine.settle();
    const waiting = engine.turn(session.sessionId);
    expect(waiting).toMatchObject({ state: 'deferred', reason: { why: { kind: 'lease-held' } }, attempts: 0 });
    const [refused] = engine.attempts(session.sessionId);
    expect(refused?.outcome).toEqual({ kind: 'deferred', why: { kind: 'lease-held', holder } });

    engine.leases.tryAcquire = recover;
    engine.write((tx) => releaseLease(tx, { ...elsewhere, instance: holder, epoch: epoch ?? 0 }));
    engine.turns.lookAtLeases();
    await engine.settle();
    const [next] = engine.attempts(session.sessionId);
    expect(next).toMatchObject({ outcome: null, error: null });
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'compressing', reason: null, retryAt: null });
    await engine.answerAll();
    const ended = engine.attempts(session.sessionId).map(({ outcome }) => outcome?.kind);
    expect(ended).toEqual(['committed', 'deferred']);
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'completed', reason: null, attempts: 1 });
  });
});
