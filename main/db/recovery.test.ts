import { describe, expect, test } from 'vitest';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { insertAttempt, openAttemptsOf } from './attempts-table';
import { otherInstances, removeInstance } from './instances-table';
import { recoverDead } from './recovery';

describe('recovery of a dead instance', () => {
  let profile: TempProfile;
  let engine: Engine;
  eachEngine((made, at) => {
    engine = made;
    profile = at;
  });

  test('S50 a killed stream keeps all but the last half second, as a partial answer that nothing marks as running', async () => {
    const session = engine.session();
    await engine.send(session, 'question');
    await engine.settle();
    engine.host.last.emit({ t: 'text', text: 'flushed ' });
    await engine.pass(500, 250);
    engine.host.last.emit({ t: 'text', text: 'lost' });
    engine = engine.restart();
    expect(engine.texts(session.branchId)).toEqual(['question', 'flushed ']);
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'interrupted' });
    expect(engine.lease(session.sessionId, 'turn').instanceId).toBeNull();
    expect(otherInstances(engine.db, engine.me)).toEqual([]);
    expect(engine.db.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('an answer that had no text yet leaves no trace but its question', async () => {
    const session = engine.session();
    await engine.send(session, 'question');
    await engine.settle();
    engine = engine.restart();
    expect(engine.texts(session.branchId)).toEqual(['question']);
    expect(engine.stored(session.sessionId)?.messages).toBe(1);
  });

  test('a deferred turn of a dead window waits for a click, and its click sends it once', async () => {
    const session = engine.session(60, 800);
    const other = new Engine(profile, engine.clock);
    const got = other.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 1, () => {});
    await engine.send(session, 'patient');
    await engine.settle();
    engine = engine.restart();
    expect(engine.turn(session.sessionId)).toMatchObject({
      state: 'deferred',
      reason: { why: { kind: 'after-restart' } },
    });
    if (got.kind === 'acquired') await got.lease.release();
    other.close();
    await engine.pass(30_000, 5_000);
    expect(engine.requests()).toHaveLength(0);
    await engine.turns.sendAgain(session.sessionId, session.branchId);
    await engine.settle();
    await engine.answerAll();
    await engine.answerAll('ok');
    expect(engine.requests()).toHaveLength(1);
    expect(engine.texts(session.branchId).filter((text) => text === 'patient')).toHaveLength(1);
  });

  test('what an instance without a row has left is found all the same: the disk was full when it started', async () => {
    const { sessionId, branchId } = engine.session();
    const unknown = new Engine(profile, engine.clock);
    unknown.write((tx) => {
      removeInstance(tx, unknown.me);
      insertAttempt(tx, {
        ...{ sessionId, branchId, instanceId: unknown.me, turnId: null, now: 0 },
        ...{ need: 'manual', trigger: 'button' },
      });
    });
    expect(recoverDead(engine.seam, profile.locks, engine.me, 0)).toEqual([]); // it lives
    unknown.die();
    expect(recoverDead(engine.seam, profile.locks, engine.me, 0)).toHaveLength(1);
    expect(openAttemptsOf(engine.db, unknown.me)).toEqual([]);
    expect(otherInstances(engine.db, engine.me)).toEqual([]);
  });

  test('a living instance is never recovered by another', async () => {
    const session = engine.session();
    await engine.send(session, 'question');
    await engine.settle();
    const other = new Engine(profile, engine.clock); // recovers what is dead at its start
    expect(engine.turn(session.sessionId)?.state).toBe('requesting');
    expect(await other.send(session, 'from the other window')).toBe('waiting');
    await engine.answerAll('ok');
    other.close();
  });
});
