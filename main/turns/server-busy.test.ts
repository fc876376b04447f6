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
