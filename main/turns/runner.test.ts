import { afterEach, describe, expect, test } from 'vitest';
import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import type { HeldLease } from '../compression/lease';
import { messagesBetween } from '../db/messages-table';
import { openForReading } from '../db/open';
import { outboxOf } from '../db/outbox-table';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';

describe('turns', () => {
  let profile: TempProfile;
  let engine: Engine;

  eachEngine((made, at) => {
    engine = made;
    profile = at;
  });

  type Session = { sessionId: SessionId; branchId: BranchId };
  const sent = (index: number) => {
    const { job } = engine.requests()[index] ?? {};
    return job?.kind === 'chat' ? job.messages : [];
  };
  const outbox = (session: Session) => outboxOf(engine.db, session.sessionId).map((item) => item.text);
  const free = (session: Session) => {
    expect(engine.lease(session.sessionId, 'turn').instanceId).toBeNull();
    expect(engine.lease(session.sessionId).instanceId).toBeNull();
    expect(engine.host.running).toHaveLength(0);
  };

  test('a message is durable before its request leaves, and byte-equal in it', async () => {
    const session = engine.session(2);
    const text = '  exact\tbytes 你好 \n';
    let durable = false;
    engine.host.onOpen = () => {
      const reader = openForReading(profile.database); // another connection sees what was committed
      durable = messagesBetween(reader, session.branchId, 1, 99).some((message) => message.text === text);
      reader.close();
    };
    expect(await engine.send(session, text)).toBe('sent');
    await engine.settle();
    expect(durable).toBe(true);
    expect(sent(0).at(-1)).toEqual({ role: 'user', content: text });
    await engine.answerAll('an answer');
    expect(engine.turn(session.sessionId)?.state).toBe('completed');
    expect(engine.texts(session.branchId).at(-1)).toBe('an answer');
    free(session);
  });

  test('a repeated send of the same id is a no-op', async () => {
    const session = engine.session();
    const id = '22222222-2222-4222-8222-222222222222' as MessageId;
    await engine.send(session, 'once', id);
    await engine.send(session, 'once', id);
    await engine.settle();
    expect(engine.texts(session.branchId).filter((text) => text === 'once')).toHaveLength(1);
    expect(outbox(session)).toEqual([]);
    await engine.answerAll('ok');
    free(session);
  });

  test('S44 messages sent while the session is busy wait, and leave in order', async () => {
    const session = engine.session();
    await engine.send(session, 'first');
    await engine.settle();
    for (const text of ['second', 'third', 'fourth']) expect(await engine.send(session, text)).toBe('waiting');
    expect(outbox(session)).toEqual(['second', 'third', 'fourth']);
    await engine.answerAll('ok');
    expect(engine.texts(session.branchId).filter((text) => text !== 'ok')).toEqual([
      'first',
      'second',
      'third',
      'fourth',
    ]);
    free(session);
  });

  test('S44 after a crash they are there, nothing leaves by itself, and one click sends them in order', async () => {
    const session = engine.session();
    await engine.send(session, 'first');
    await engine.settle();
    engine.host.last.emit({ t: 'text', text: 'half an ans' });
    await engine.pass(500, 250);
    await engine.send(session, 'second');
    await engine.send(session, 'third');
    engine = engine.restart();
    await engine.pass(60_000, 10_000);
    expect(engine.requests()).toHaveLength(0);
    expect(engine.turn(session.sessionId)?.state).toBe('interrupted');
    expect(engine.texts(session.branchId)).toEqual(['first', 'half an ans']);
    expect(outbox(session)).toEqual(['second', 'third']);
    await engine.turns.sendAgain(session.sessionId, session.branchId);
    await engine.settle();
    await engine.answerAll('ok');
    expect(engine.texts(session.branchId)).toEqual(['first', 'half an ans', 'second', 'ok', 'third', 'ok']);
    free(session);
  });

  test('stop ends the turn at once and keeps what was streamed', async () => {
    const session = engine.session();
    await engine.send(session, 'question');
    await engine.settle();
    engine.host.last.emit({ t: 'text', text: 'the beginning' });
    await engine.turns.stop(session.sessionId);
    await engine.settle();
    expect(engine.turn(session.sessionId)?.state).toBe('stopped');
    expect(engine.texts(session.branchId).at(-1)).toBe('the beginning');
    free(session);
  });

  test('a host that does not answer the stop cannot hold it back', async () => {
    const session = engine.session();
    await engine.send(session, 'question');
    await engine.settle();
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    stream.emit({ t: 'text', text: 'the beginning' });
    await engine.turns.stop(session.sessionId);
    await engine.pass(1_000, 200);
    expect(engine.turn(session.sessionId)?.state).toBe('stopped');
    expect(engine.texts(session.branchId).at(-1)).toBe('the beginning');
    stream.answer(' and more');
    await engine.settle();
    expect(engine.texts(session.branchId).at(-1)).toBe('the beginning');
    free(session);
  });

  test('a context that does not fit is compressed first; the newest message is in the request once', async () => {
    const session = engine.session(60, 800);
    await engine.send(session, 'the newest words');
    await engine.settle();
    expect(engine.requests()).toHaveLength(0);
    await engine.answerAll();
    const request = sent(0);
    expect(request.filter((message) => message.content.includes('the newest words'))).toHaveLength(1);
    expect(request.at(-1)?.content).toBe('the newest words');
    expect(request[0]?.content).toContain('[Summary of messages 1 to');
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'completed', attempts: 1 });
    free(session);
  });

  test('over the hard mark a still compression is left behind and the request goes out', async () => {
    engine.models.change({ oneAtATime: false });
    const session = engine.session(12, 800);
    await engine.send(session, `${'words '.repeat(200)}end`);
    await engine.settle();
    expect(engine.turn(session.sessionId)?.state).toBe('compressing');
    await engine.pass(15_000);
    await engine.settle();
    expect(engine.requests()).toHaveLength(1);
    expect(engine.coordinator.running(session.sessionId)).not.toBeNull(); // it goes on as background work
    engine.coordinator.cancel(session.sessionId, null, 'user');
    await engine.answerAll('ok');
    free(session);
  });

  describe('another process holds the lease', () => {
    let other: Engine;
    let held: HeldLease;

    const hold = (session: Session) => {
      other = new Engine(profile, engine.clock);
      const got = other.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 1, () => {});
      if (got.kind !== 'acquired') throw new Error(got.kind);
      held = got.lease;
    };
    const letGo = async () => {
      await held.release();
      engine.turns.lookAtLeases(); // the beat saw the database move
      await engine.settle();
    };
    afterEach(() => other.close());

    test('P25 over the hard mark: deferred at once, no request before 10 s, exactly one after them', async () => {
      const session = engine.session(12, 800);
      hold(session);
      const long = `${'words '.repeat(200)}end`;
      await engine.send(session, long);
      await engine.settle();
      expect(engine.turn(session.sessionId)).toMatchObject({
        state: 'deferred',
        attempts: 0,
        reason: { why: { kind: 'lease-held', holder: other.me, fits: true } },
      });
      await engine.pass(9_999, 1_111);
      expect(engine.requests()).toHaveLength(0);
      await engine.pass(1, 1);
      expect(engine.requests()).toHaveLength(1);
      expect(sent(0).at(-1)?.content).toBe(long);
      await engine.answerAll('ok');
      expect(engine.turn(session.sessionId)?.state).toBe('completed');
      await held.release();
      free(session);
    });

    test('P25 P31 a request that does not fit waits until the lease goes; the same message then goes by itself', async () => {
      const session = engine.session(60, 800);
      hold(session);
      const count = engine.texts(session.branchId).length;
      await engine.send(session, 'patient words');
      await engine.settle();
      await engine.pass(40_000, 5_000);
      expect(engine.requests()).toHaveLength(0);
      expect(engine.turn(session.sessionId)).toMatchObject({ state: 'deferred', attempts: 0 });
      expect(engine.texts(session.branchId)).toHaveLength(count + 1); // never reset, forked or shortened
      await letGo();
      await engine.answerAll('## Goal\n- wait');
      await engine.answerAll('ok');
      expect(engine.requests()).toHaveLength(1);
      expect(sent(0).at(-1)?.content).toBe('patient words');
      expect(engine.turn(session.sessionId)?.state).toBe('completed');
      free(session);
    });

    test('"Send now" goes at once where it fits', async () => {
      const session = engine.session(12, 800);
      hold(session);
      await engine.send(session, `${'words '.repeat(200)}end`);
      await engine.settle();
      engine.turns.sendNow(session.sessionId);
      await engine.settle();
      expect(engine.requests()).toHaveLength(1);
      await engine.answerAll('ok');
      await held.release();
      free(session);
    });

    test('under the hard mark a message needs no lease', async () => {
      const session = engine.session(2);
      hold(session);
      await engine.send(session, 'short');
      await engine.settle();
      expect(engine.requests()).toHaveLength(1);
      await engine.answerAll('ok');
      await held.release();
      free(session);
    });

    test('P22 a deferred turn is neither failed nor exhausted, and a stop ends it with its message kept', async () => {
      const session = engine.session(60, 800);
      hold(session);
      await engine.send(session, 'kept');
      await engine.settle();
      await engine.turns.stop(session.sessionId);
      await engine.settle();
      expect(engine.turn(session.sessionId)?.state).toBe('stopped');
      expect(engine.texts(session.branchId).at(-1)).toBe('kept');
      await held.release();
      free(session);
    });
  });

  test('P22 P31 a compression in backoff is a soft deferral: nothing is sent or reset, it goes on by itself afterwards', async () => {
    engine.extractAllowed = false;
    const session = engine.session(60, 800);
    const first = await engine.attempt(session);
    engine.host.last.dieOfTimeout();
    await first.outcome;
    const count = engine.texts(session.branchId).length;
    await engine.send(session, 'patient words');
    await engine.settle();
    expect(engine.turn(session.sessionId)).toMatchObject({
      state: 'deferred',
      attempts: 0,
      reason: { why: { kind: 'backoff' } },
    });
    await engine.pass(59_000);
    expect(engine.host.running).toHaveLength(0);
    expect(engine.texts(session.branchId)).toHaveLength(count + 1);
    await engine.pass(1_000);
    await engine.answerAll();
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'completed', attempts: 1 });
    expect(sent(0).at(-1)?.content).toBe('patient words');
    free(session);
  });

  test('P30 S1 what cannot be compressed at all is exhausted, with both numbers and at most one summary call', async () => {
    const session = engine.session(0);
    await engine.send(session, 'x '.repeat(20_000));
    await engine.settle();
    await engine.answerAll();
    const turn = engine.turn(session.sessionId);
    expect(turn).toMatchObject({ state: 'exhausted', reason: { why: { windowTokens: 8_192 } } });
    const reason = turn?.reason;
    expect(reason?.state === 'exhausted' && reason.why.needTokens).toBeGreaterThan(8_192);
    expect(engine.requests()).toHaveLength(0);
    expect(engine.host.streams.length).toBeLessThanOrEqual(1);
    free(session);
  });

  test('an overflow proven by the provider is learned, compressed and asked again', async () => {
    const session = engine.session(10, 800);
    await engine.send(session, 'question');
    await engine.settle();
    const fields = { needTokens: 6_000, windowTokens: 4_096 };
    engine.host.last.settle({
      t: 'failed',
      kind: 'refused',
      cause: 'overflow',
      name: 'Error',
      message: 'too long',
      fields,
    });
    await engine.settle();
    expect(engine.models.learned).toEqual([4_096]);
    await engine.answerAll();
    await engine.answerAll('ok');
    expect(engine.turn(session.sessionId)?.state).toBe('completed');
    expect(engine.shown(session.branchId)).toHaveLength(1);
    free(session);
  });

  test('S3 with automatic compression off an overflow defers with a way on, and nothing compresses', async () => {
    engine.automatic = 'off';
    const session = engine.session(60, 800);
    await engine.send(session, 'question');
    await engine.settle();
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'deferred', reason: { why: { kind: 'auto-off' } } });
    expect(engine.attempts(session.sessionId)).toEqual([]);
    expect(engine.requests()).toHaveLength(0);
    await engine.turns.stop(session.sessionId);
    await engine.settle();
    free(session);
  });

  test('an unknown window never blocks', async () => {
    engine.models.change({ window: { served: null, trained: null, source: 'unknown' } });
    const session = engine.session(60, 800);
    await engine.send(session, 'question');
    await engine.settle();
    expect(engine.requests()).toHaveLength(1);
    await engine.answerAll('ok');
    free(session);
  });

  test('a failed server leaves the message, and Send again answers it', async () => {
    const session = engine.session();
    await engine.send(session, 'question');
    await engine.settle();
    engine.host.last.settle({
      t: 'failed',
      kind: 'died',
      cause: 'unreachable',
      name: 'Error',
      message: 'refused',
      fields: {},
    });
    await engine.settle();
    expect(engine.turn(session.sessionId)).toMatchObject({
      state: 'failed',
      reason: { code: 'unreachable', fields: { address: 'http://127.0.0.1:1' } },
    });
    expect(engine.published).toContain('away');
    await engine.turns.sendAgain(session.sessionId, session.branchId);
    await engine.settle();
    await engine.answerAll('at last');
    expect(engine.texts(session.branchId)).toEqual(['question', 'at last']);
    free(session);
  });

  test('S9 the requested output never exceeds what the window has free', async () => {
    for (const turns of [0, 4, 8, 10]) {
      const session = engine.session(turns, 800);
      await engine.send(session, 'question');
      await engine.settle();
      const { job } = engine.host.last;
      if (job.kind !== 'chat') throw new Error('no request');
      const prompt = job.messages.reduce((sum, message) => sum + message.content.length / 4 + 4, 0);
      expect(prompt + job.maxTokens).toBeLessThanOrEqual(8_192);
      await engine.answerAll('ok');
    }
  });
});
