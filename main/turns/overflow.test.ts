import { describe, expect, test } from 'vitest';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { estimate } from './measure';

/** An overflow whose numbers the server does not tell. */
const overflow = {
  t: 'failed',
  kind: 'refused',
  cause: 'overflow',
  name: 'Error',
  message: 'too long',
  fields: {},
} as const;

describe('an overflow proven by the provider', () => {
  let engine: Engine;
  eachEngine((made) => {
    engine = made;
  });

  /** Answers every request with an overflow and every summary with a good one, until nothing runs. */
  const overflowAll = async () => {
    for (let i = 0; i < 40 && engine.host.running.length > 0; i++) {
      for (const stream of engine.host.running) {
        if (stream.job.kind === 'chat') stream.settle(overflow);
        else stream.answer('## Goal\n- Talk about things.');
      }
      await engine.settle();
    }
  };

  test('outweighs an estimate that says it fits: it is compressed, and never asked again and again', async () => {
    const session = engine.session(10, 800);
    await engine.send(session, 'question');
    await engine.settle();
    await overflowAll();
    expect(engine.requests().length).toBeLessThanOrEqual(3);
    expect(engine.attempts(session.sessionId).length).toBeGreaterThan(0);
    expect(engine.turn(session.sessionId)?.endedAt).not.toBeNull();
  });

  test('with an unknown window ends as "does not fit", after one request', async () => {
    engine.models.change({ window: { served: null, trained: null, source: 'unknown' } });
    const session = engine.session(10, 800);
    await engine.send(session, 'question');
    await engine.settle();
    await overflowAll();
    expect(engine.requests()).toHaveLength(1);
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'failed', reason: { code: 'does-not-fit' } });
  });

  test('after text was shown is not asked again: the answer is kept and said to be cut', async () => {
    const session = engine.session(2);
    await engine.send(session, 'question');
    await engine.settle();
    engine.host.last.emit({ t: 'text', text: 'the beginning' });
    engine.host.last.settle(overflow);
    await engine.settle();
    expect(engine.requests()).toHaveLength(1);
    expect(engine.texts(session.branchId).at(-1)).toBe('the beginning');
    expect(engine.published).toContain('cut');
  });

  test('S37 messages that were not even read never leave silently', async () => {
    engine.models.change({ window: { served: null, trained: null, source: 'unknown' } });
    const session = engine.session(120, 20_000);
    await engine.send(session, 'question');
    await engine.settle();
    expect(engine.requests()).toHaveLength(0);
    expect(engine.turn(session.sessionId)).toMatchObject({ state: 'failed', reason: { code: 'does-not-fit' } });
  });
});

describe('a refusal that counts the prompt', () => {
  let engine: Engine;
  eachEngine((made) => {
    engine = made;
  });

  const refuse = async (fields: { needTokens?: number; windowTokens?: number }) => {
    engine.host.last.settle({ ...overflow, fields });
    await engine.settle();
  };
  const asked = () => {
    const { job } = engine.host.last;
    return job.kind === 'chat' ? job.maxTokens : null;
  };

  test('S65 the next measure, and the meter, begin with that count', async () => {
    const session = engine.session(14, 800);
    engine.automatic = 'off';
    await engine.send(session, 'question');
    await engine.settle();
    await refuse({ needTokens: 7_001, windowTokens: 6_000 });
    const facts = engine.models.facts();
    const { use } = estimate(engine.db, session.sessionId, session.branchId, facts, engine.toolbox, true);
    expect(use).toMatchObject({ total: 7_001, window: 6_000, exact: true });
    expect(Object.values(use.parts).reduce((sum, part) => sum + part, 0)).toBe(7_001);
    expect(engine.published).toContain('learned 6000');
  });

  test('S71 where the prompt alone fits, a shorter answer is asked for and nothing is compressed', async () => {
    const session = engine.session(2);
    await engine.send(session, 'question');
    await engine.settle();
    const before = asked() ?? 0;
    await refuse({ needTokens: 520, windowTokens: 4_096 });
    expect(engine.requests()).toHaveLength(2);
    expect(asked()).toBe(4_096 - 520 - 16);
    expect(asked()).toBeLessThan(before);
    await engine.answerAll('ok');
    expect(engine.attempts(session.sessionId)).toEqual([]);
    expect(engine.turn(session.sessionId)?.state).toBe('completed');
  });

  test('a server that says so again is not asked for ever', async () => {
    const session = engine.session(2);
    await engine.send(session, 'question');
    await engine.settle();
    for (let i = 0; i < 9 && engine.host.running.length > 0; i++)
      await refuse({ needTokens: 520, windowTokens: 8_192 });
    expect(engine.requests()).toHaveLength(2);
    expect(engine.turn(session.sessionId)?.endedAt).not.toBeNull();
  });

  test('what is left beside the answer is not taken for the window', async () => {
    const session = engine.session(2);
    await engine.send(session, 'question');
    await engine.settle();
    await refuse({ needTokens: 520, windowTokens: 8_192 - (asked() ?? 0) });
    expect(engine.models.learned).toEqual([]);
    expect(asked()).toBe(8_192 - 520 - 16);
    await engine.answerAll('ok');
    expect(engine.attempts(session.sessionId)).toEqual([]);
  });
});

test('S66 what is protected is compared with what was counted exactly', async () => {
  const profile = new TempProfile();
  const engine = new Engine(profile);
  // the estimate is twice the truth, as for a model whose rates are not known yet
  engine.models.change({ rates: { ascii: 0.5, cjk: 1, other: 1, calibrated: false }, countsExactly: true });
  engine.models.count = (_ref, messages) =>
    Promise.resolve(Math.ceil(messages.reduce((sum, one) => sum + one.content.length, 0) / 4));
  const session = engine.session(0);
  await engine.send(session, 'x '.repeat(8_000)); // 4,000 tokens of 6,144; the estimate says 8,000
  await engine.settle();
  expect(engine.requests()).toHaveLength(1);
  await engine.answerAll('ok');
  engine.close();
  profile.remove();
});
