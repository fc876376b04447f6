import { describe, expect, test } from 'vitest';
import type { FailedFrame } from '../hosts/protocol';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

const open = async (text: string) => {
  const session = engine.session(2);
  await engine.send(session, text);
  await engine.settle();
  return session;
};
const state = ({ sessionId }: { sessionId: Parameters<Engine['turn']>[0] }) => engine.turn(sessionId)?.state;
const reason = ({ sessionId }: { sessionId: Parameters<Engine['turn']>[0] }) => engine.turn(sessionId)?.reason;
const byChat = { state: 'deferred', why: { kind: 'server-busy', by: 'chat' } } as const;
const byServer = { state: 'deferred', why: { kind: 'server-busy', by: 'server' } } as const;

describe('S69 two chats on a server that takes one request at a time', () => {
  test('the second waits and says for what, nothing of it is sent; both finish, in the order in which they came', async () => {
    const first = await open('one');
    const second = await open('two');
    const third = await open('three');
    expect([state(first), reason(second), reason(third)]).toEqual(['requesting', byChat, byChat]);
    expect(engine.requests()).toHaveLength(1);
    expect(engine.texts(second.branchId).at(-1)).toBe('two'); // no empty answer stands there
    engine.host.last.answer('to one');
    await engine.settle();
    expect([state(first), state(second), reason(third)]).toEqual(['completed', 'requesting', byChat]);
    engine.host.last.answer('to two');
    await engine.settle();
    engine.host.last.answer('to three');
    await engine.settle();
    expect([state(second), state(third)]).toEqual(['completed', 'completed']);
    expect(engine.texts(third.branchId).at(-1)).toBe('to three');
    expect(engine.requests()).toHaveLength(3);
  });

  test('"Send now" goes out beside the other', async () => {
    await open('one');
    const second = await open('two');
    engine.turns.sendNow(second.sessionId);
    await engine.settle();
    expect(state(second)).toBe('requesting');
    expect(engine.requests()).toHaveLength(2);
  });

  test('one that is stopped while it waits is never sent', async () => {
    await open('one');
    const second = await open('two');
    await engine.turns.stop(second.sessionId);
    await engine.answerAll('answer');
    expect(state(second)).toBe('stopped');
    expect(engine.requests()).toHaveLength(1);
  });

  test('the first is stopped: the second goes on', async () => {
    const first = await open('one');
    const second = await open('two');
    await engine.turns.stop(first.sessionId);
    await engine.settle();
    expect(state(second)).toBe('requesting');
  });

  test('one that can do more takes both at once', async () => {
    engine.models.change({ oneAtATime: false });
    await open('one');
    await open('two');
    expect(engine.requests()).toHaveLength(2);
  });
});

describe('a server that asks to wait', () => {
  const refusal = (status: number, message: string, retryAfterMs?: number): FailedFrame => ({
    t: 'failed',
    kind: 'refused',
    cause: 'http',
    name: 'JobFailure',
    message,
    fields: { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  });
  const refuse = async (...said: Parameters<typeof refusal>) => {
    engine.host.last.settle(refusal(...said));
    await engine.settle();
  };

  test('429 with retry-after: the turn waits so long, and asks again by itself', async () => {
    const session = await open('question');
    await refuse(429, 'slow down', 7_000);
    expect(reason(session)).toEqual(byServer);
    expect(engine.turn(session.sessionId)?.retryAt).toBe(engine.clock.wall() + 7_000);
    expect(engine.texts(session.branchId).at(-1)).toBe('question');
    await engine.pass(6_000);
    expect(engine.requests()).toHaveLength(1);
    await engine.pass(1_000);
    expect(engine.requests()).toHaveLength(2);
    await engine.answerAll('answer');
    expect(state(session)).toBe('completed');
  });

  test('without a word for how long it is asked less and less often, and given up at last', async () => {
    const session = await open('question');
    for (const ms of [5_000, 15_000, 30_000, 60_000, 60_000]) {
      await refuse(503, 'Loading model');
      expect(engine.turn(session.sessionId)?.retryAt).toBe(engine.clock.wall() + ms);
      await engine.pass(ms, 5_000);
    }
    await refuse(503, 'Loading model');
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'failed', reason: { code: 'refused-by-server' } });
    expect(engine.requests()).toHaveLength(6);
  });

  test.each([
    [429, 'You exceeded your current quota', undefined],
    [429, 'slow down', 3_600_000],
    [500, 'boom', undefined],
  ])('%i "%s" with retry-after %s is not waited for', async (status, message, retryAfterMs) => {
    const session = await open('question');
    await refuse(status, message, retryAfterMs);
    expect(state(session)).toBe('failed');
  });

  test('"Send now" asks at once', async () => {
    const session = await open('question');
    await refuse(429, 'slow down', 60_000);
    engine.turns.sendNow(session.sessionId);
    await engine.settle();
    expect(engine.requests()).toHaveLength(2);
  });
});

describe('a summary that a turn waits for, on a server that answers another chat', () => {
  test('is asked for once that chat has ended, and its wait is no stall', async () => {
    await open('one');
    const long = engine.session(40, 800);
    await engine.send(long, 'does not fit without a compression');
    await engine.settle();
    expect(engine.host.streams).toHaveLength(1);
    const shown = () => engine.coordinator.running(long.sessionId)?.view().paused;
    expect(shown()).toBe(true);
    await engine.pass(200_000, 20_000);
    expect(engine.attempts(long.sessionId)).toMatchObject([{ outcome: null }]);
    engine.host.last.answer('to one');
    await engine.settle();
    expect(engine.host.running.map(({ job }) => job.kind)).toEqual(['summary']);
    expect(shown()).toBe(false);
    await engine.answerAll();
    expect(engine.attempts(long.sessionId)).toMatchObject([{ outcome: { kind: 'committed' }, strategy: 'summarize' }]);
    expect(state(long)).toBe('completed');
    expect(engine.backoff(long.sessionId)).toBeNull();
  });

  test('that is cancelled meanwhile is never asked for', async () => {
    await open('one');
    const long = engine.session(40, 800);
    await engine.send(long, 'does not fit without a compression');
    await engine.settle();
    await engine.turns.stop(long.sessionId);
    await engine.settle();
    await engine.answerAll('to one');
    expect(engine.host.streams).toHaveLength(1);
    expect(engine.lease(long.sessionId).instanceId).toBeNull();
  });

  test('is not asked for where the user skips the model meanwhile', async () => {
    await open('one');
    const long = engine.session(40, 800);
    await engine.send(long, 'does not fit without a compression');
    await engine.settle();
    const attempt = engine.coordinator.running(long.sessionId);
    if (!attempt) throw new Error('nothing runs');
    engine.coordinator.skipModel(long.sessionId, attempt.spec.id);
    engine.host.last.answer('to one');
    await engine.settle();
    expect(engine.attempts(long.sessionId)).toMatchObject([{ outcome: { kind: 'committed' }, strategy: 'extract' }]);
    expect(engine.host.streams.map(({ job }) => job.kind)).toEqual(['chat', 'chat']);
  });

  test('is pushed aside by that chat once its turn waits for it no longer', async () => {
    const pressed = engine.session(13, 800);
    await engine.send(pressed, 'fits, past the hard mark');
    await engine.settle();
    expect(engine.host.running.map(({ job }) => job.kind)).toEqual(['summary']);
    await open('one');
    engine.turns.sendNow(pressed.sessionId);
    await engine.settle();
    expect(reason(pressed)).toEqual(byChat);
    expect(engine.host.running.map(({ job }) => job.kind)).toEqual(['chat']);
  });
});

test('the end of a compression does not end the wait that a server has asked for', async () => {
  const session = engine.session(12, 400);
  await engine.send(session, 'question');
  await engine.settle();
  engine.host.last.settle({
    t: 'failed',
    kind: 'refused',
    cause: 'http',
    name: 'JobFailure',
    message: 'slow down',
    fields: { status: 429, retryAfterMs: 60_000 },
  });
  await engine.settle();
  await engine.compress(session, 'manual', ['extract']);
  await engine.settle();
  expect(engine.attempts(session.sessionId)).toMatchObject([{ outcome: { kind: 'committed' } }]);
  expect(engine.requests()).toHaveLength(1);
  engine.turns.wake(session.sessionId, true);
  await engine.settle();
  expect(engine.requests()).toHaveLength(2);
});
