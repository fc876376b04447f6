import { describe, expect, test } from 'vitest';
import type { MessageId } from '../../shared/model/ids';
import { branchesOf } from '../db/branches-table';
import { changeSession } from '../db/sessions-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { answerAgain, editMessage } from './branches';

describe('branches', () => {
  let engine: Engine;
  eachEngine((made) => {
    engine = made;
  });
  const env = () => engine;
  const id = '44444444-4444-4444-8444-444444444444' as MessageId;

  test('an edit starts a branch and leaves the old one as it was', async () => {
    const session = engine.session(3);
    const before = engine.texts(session.branchId);
    const branchId = await editMessage(env(), { ...session, seq: 3, id, text: 'edited' });
    await engine.settle();
    await engine.answerAll('new answer');
    expect(engine.texts(session.branchId)).toEqual(before);
    expect(engine.texts(branchId)).toEqual([before[0], before[1], 'edited', 'new answer']);
  });

  test('an edit leaves the draft alone; a send clears what it sent', async () => {
    const session = engine.session(2);
    engine.write((tx) => changeSession(tx, session.sessionId, { draft: 'half a thought' }));
    await editMessage(env(), { ...session, seq: 1, id, text: 'edited' });
    await engine.settle();
    await engine.answerAll('ok');
    expect(engine.stored(session.sessionId)?.draft).toBe('half a thought');
    await engine.send(session, 'half a thought');
    expect(engine.stored(session.sessionId)?.draft).toBe('');
    await engine.settle();
    await engine.answerAll('ok');
  });

  test('a repeated edit is a no-op; one in a busy session changes nothing', async () => {
    const session = engine.session(2);
    const branchId = await editMessage(env(), { ...session, seq: 1, id, text: 'edited' });
    expect(await editMessage(env(), { ...session, seq: 1, id, text: 'edited' })).toBe(branchId);
    await expect(answerAgain(env(), { ...session, seq: 2 })).rejects.toMatchObject({ code: 'turn-running' });
    expect(branchesOf(engine.db, session.sessionId)).toHaveLength(2); // no empty fork was left
    await engine.settle();
    await engine.answerAll('ok');
  });

  test('an attempt that covers nothing behind the fork goes on and serves both branches', async () => {
    const session = engine.session(40, 800);
    const attempt = await engine.attempt(session, 'ahead', ['summarize']);
    const branchId = await answerAgain(env(), { ...session, seq: 80 });
    await engine.settle();
    await engine.answerAll();
    expect((await attempt.outcome).kind).toBe('committed');
    expect(engine.attempts(session.sessionId)).toHaveLength(1);
    const [summary] = engine.shown(session.branchId);
    expect(engine.shown(branchId)).toEqual([summary]);
    expect(engine.turn(session.sessionId)?.state).toBe('completed');
  });

  test('an edit before the end of what an attempt covers ends it', async () => {
    const session = engine.session(40, 800);
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    await editMessage(env(), { ...session, seq: 3, id, text: 'edited' });
    await engine.settle();
    expect(await attempt.outcome).toEqual({ kind: 'superseded', by: 'fork' });
    await engine.answerAll('ok');
    expect(engine.shown(session.branchId)).toEqual([]);
    expect(engine.turn(session.sessionId)?.state).toBe('completed');
  });

  test('answering again forks behind the question', async () => {
    const session = engine.session(2);
    const branchId = await answerAgain(env(), { ...session, seq: 4 });
    await engine.settle();
    await engine.answerAll('another answer');
    expect(engine.texts(branchId).slice(0, 3)).toEqual(engine.texts(session.branchId).slice(0, 3));
    expect(engine.texts(branchId)[3]).toBe('another answer');
  });
});
