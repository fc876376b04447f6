import { describe, expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { messagesBetween } from '../db/messages-table';
import { lastRequestOf } from '../db/requests-table';
import { fullResult } from '../db/tool-results';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { TestTool } from '../testing/test-tool';
import { estimate } from './measure';

type Session = { sessionId: SessionId; branchId: BranchId };

describe('a turn with tools', () => {
  let engine: Engine;
  let tool: TestTool;

  eachEngine((made) => {
    engine = made;
    tool = new TestTool();
    engine.tools = [tool];
  });

  const sent = (index: number) => {
    const { job } = engine.requests().at(index) ?? {};
    if (job?.kind !== 'chat') throw new Error('no such request');
    return job;
  };
  const stored = ({ branchId }: Session) => messagesBetween(engine.db, branchId, 1, 999);
  const state = (session: Session) => engine.turn(session.sessionId)?.state;
  /** Sends a question whose answer calls the tool this often. */
  const called = async (session: Session, times = 1, text = '') => {
    await engine.send(session, 'question');
    await engine.settle();
    engine.host.last.call(
      Array.from({ length: times }, (_, n) => ['probe', { n }] as const),
      text,
    );
    await engine.settle();
  };

  test('its calls run, their results are stored, and the next request carries both', async () => {
    const session = engine.session();
    await called(session, 1, 'Let me look.');
    expect(sent(0).tools?.map(({ name }) => name)).toEqual(['probe']);
    expect(state(session)).toBe('tools');
    expect(tool.last.args).toEqual({ n: 0 });
    tool.last.resolve('seventeen');
    await engine.settle();
    const [call] = stored(session)[1]?.parts?.calls ?? [];
    expect(sent(1).messages).toEqual([
      { role: 'user', content: 'question' },
      { role: 'assistant', content: 'Let me look.', calls: [call] },
      { role: 'tool', content: 'seventeen', answers: { id: call?.id, name: 'probe' } },
    ]);
    await engine.answerAll('It is seventeen.');
    expect(state(session)).toBe('completed');
    expect(stored(session).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    const turn = engine.turn(session.sessionId);
    expect(turn && lastRequestOf(engine.db, turn.id)?.recipe.tools).toMatch(/^[0-9a-f]{64}$/);
  });

  test('they run one after another, each stored before the next begins', async () => {
    const session = engine.session();
    await called(session, 2);
    expect(tool.runs).toHaveLength(1);
    tool.last.resolve('one');
    await engine.settle();
    expect(tool.runs).toHaveLength(2);
    expect(stored(session).at(-1)).toMatchObject({ role: 'tool', text: 'one' });
    expect(engine.requests()).toHaveLength(1);
    tool.last.resolve('two');
    await engine.settle();
    expect(engine.requests()).toHaveLength(2);
    await engine.answerAll('ok');
  });

  test('P7 a tool that dies of a timeout error is told to the model at once, and the turn goes on', async () => {
    const session = engine.session();
    await called(session);
    tool.last.reject(new DOMException('stalled', 'TimeoutError'));
    await engine.settle();
    expect(sent(1).messages.at(-1)).toMatchObject({ role: 'tool', content: 'The tool failed: TimeoutError: stalled' });
    expect(stored(session).at(-2)?.parts?.result).toMatchObject({ state: 'failed' });
    await engine.answerAll('ok');
    expect(state(session)).toBe('completed');
  });

  test('S66 the context is measured after tools too: what does not fit is compressed before the next request', async () => {
    const session = engine.session(7, 1_200);
    await called(session, 4);
    for (let i = 0; i < 4; i++) {
      tool.last.resolve('result '.repeat(400));
      await engine.settle();
    }
    expect(engine.requests()).toHaveLength(1);
    expect(state(session)).toBe('compressing');
    await engine.answerAll();
    const { messages } = sent(1);
    expect(messages[0]?.content).toContain('[Summary of messages 1 to');
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(4);
    expect(messages.reduce((sum, { content }) => sum + content.length / 4, 0)).toBeLessThan(6_144);
    expect(engine.turn(session.sessionId)).toMatchObject({ attempts: 1 });
  });

  test('a long result is shortened where it is sent, visibly, and the whole is kept', async () => {
    const session = engine.session();
    const whole = Array.from({ length: 800 }, (_, i) => `line ${i} of the log`).join('\n');
    await called(session);
    tool.last.resolve(whole);
    await engine.settle();
    const result = stored(session).at(-2);
    expect(result?.text).toMatch(
      /^line 0 of the log\n[\s\S]*\n\[\d+ tokens left out here; .*\]\n[\s\S]*line 799 of the log$/,
    );
    expect(result?.text.length).toBeLessThan(614 * 4 + 100);
    expect(sent(1).messages.at(-1)?.content).toBe(result?.text);
    expect(result && fullResult(engine.db, result.id)).toBe(whole);
    await engine.answerAll('ok');
  });

  test('a call that cannot be made is answered with the reason', async () => {
    const session = engine.session();
    await engine.send(session, 'question');
    await engine.settle();
    engine.host.last.call([
      ['prober', {}],
      ['probe', 'not json'],
    ]);
    await engine.settle();
    const results = sent(1).messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual([
      'The tool failed: there is no tool named prober; there is probe',
      'The tool failed: its arguments are not a JSON object',
    ]);
    expect(tool.runs).toHaveLength(0);
    await engine.answerAll('ok');
  });

  test('Stop ends it at once: every call has its result, and none runs', async () => {
    const session = engine.session();
    await called(session, 2);
    await engine.turns.stop(session.sessionId);
    await engine.settle();
    expect(state(session)).toBe('stopped');
    expect(tool.last.signal.aborted).toBe(true);
    expect(
      stored(session)
        .slice(2)
        .map(({ parts }) => parts?.result?.state),
    ).toEqual(['cancelled', 'cancelled']);
    expect(tool.runs).toHaveLength(1);
    expect(engine.lease(session.sessionId, 'turn').instanceId).toBeNull();
    await engine.send(session, 'next');
    await engine.settle();
    expect(sent(-1).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
    await engine.answerAll('ok');
  });

  test('a stop that overtakes the calls runs none of them, and parts none from its result', async () => {
    const session = engine.session();
    await engine.send(session, 'question');
    await engine.settle();
    engine.host.last.call([['probe', {}]]);
    await engine.turns.stop(session.sessionId);
    await engine.settle();
    expect(state(session)).toBe('stopped');
    expect(tool.runs).toHaveLength(0);
    const messages = stored(session);
    const calls = messages.flatMap(({ parts }) => parts?.calls ?? []);
    expect(messages.flatMap(({ parts }) => (parts?.result ? [parts.result.call] : []))).toEqual(calls);
  });

  test('quit leaves the running call as interrupted', async () => {
    const session = engine.session();
    await called(session, 2);
    const ending = engine.turns.quit();
    await engine.settle();
    await ending;
    expect(state(session)).toBe('interrupted');
    expect(
      stored(session)
        .slice(2)
        .map(({ text }) => text),
    ).toEqual(['Interrupted: the app ended while this ran. Whether it had an effect is unknown.', 'Not run.']);
  });

  test('S2 after a crash the open call gets a result that says so, nothing runs by itself, and no call is repeated', async () => {
    const session = engine.session();
    await called(session, 3);
    tool.last.resolve('the first result');
    await engine.settle();
    engine = engine.restart();
    engine.tools = [tool];
    await engine.pass(60_000, 10_000);
    expect(tool.runs).toHaveLength(2);
    expect(engine.requests()).toHaveLength(0);
    expect(state(session)).toBe('interrupted');
    expect(
      stored(session)
        .slice(2)
        .map(({ text }) => text),
    ).toEqual([
      'the first result',
      'Interrupted: the app ended while this ran. Whether it had an effect is unknown.',
      'Not run.',
    ]);
    await engine.turns.sendAgain(session.sessionId, session.branchId);
    await engine.settle();
    expect(sent(0).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool']);
    expect(tool.runs).toHaveLength(2);
    await engine.answerAll('ok');
    expect(state(session)).toBe('completed');
  });

  test('a server that refuses tools is asked the same without them, and not offered them again', async () => {
    const session = engine.session();
    await engine.send(session, 'question');
    await engine.settle();
    const refusal = {
      kind: 'refused',
      cause: 'no-tools',
      name: 'JobFailure',
      message: 'no tools',
      fields: {},
    } as const;
    engine.host.last.settle({ t: 'failed', ...refusal });
    await engine.settle();
    expect(sent(1).tools).toBeUndefined();
    expect(sent(1).messages).toEqual(sent(0).messages);
    await engine.answerAll('ok');
    expect(stored(session).map(({ text }) => text)).toEqual(['question', 'ok']);
    await engine.send(session, 'next');
    await engine.settle();
    expect(sent(2).tools).toBeUndefined();
    await engine.answerAll('ok');
  });

  test('a model without tools gets earlier calls and results in words', async () => {
    const session = engine.session();
    await called(session);
    tool.last.resolve('seventeen');
    await engine.settle();
    await engine.answerAll('It is seventeen.');
    engine.models.change({ tools: false });
    await engine.send(session, 'next');
    await engine.settle();
    const { messages } = sent(-1);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(messages[1]?.content).toBe('[Called probe with {"n":0}]');
    expect(messages[2]?.content).toContain('seventeen');
    await engine.answerAll('ok');
  });

  test('a model that does nothing but call is asked in the end without tools', async () => {
    const session = engine.session();
    engine.models.change({ window: { served: 100_000, trained: null, source: 'server' } });
    await engine.send(session, 'question');
    await engine.settle();
    for (let i = 0; i < 20 && sent(-1).tools; i++) {
      engine.host.last.call([['probe', {}]]);
      await engine.settle();
      tool.last.resolve('again');
      await engine.settle();
    }
    expect(tool.runs).toHaveLength(16);
    engine.host.last.call([['probe', {}]], 'no more');
    await engine.settle();
    expect(state(session)).toBe('completed');
    expect(stored(session).at(-1)).toMatchObject({ text: 'no more', parts: null });
  });

  test('a list of tools that is no longer that of the last request says so, until the next one carries it', async () => {
    const session = engine.session();
    const changed = () => {
      const { sessionId, branchId } = session;
      return estimate(engine.db, sessionId, branchId, engine.models.facts(), engine.toolbox, false).use.toolsChanged;
    };
    expect(changed()).toBe(false);
    await engine.send(session, 'question');
    await engine.settle();
    await engine.answerAll('ok');
    expect(changed()).toBe(false);
    engine.tools = [tool, new TestTool('another')];
    expect(changed()).toBe(true);
    await engine.send(session, 'next');
    await engine.settle();
    expect(sent(-1).tools?.map(({ name }) => name)).toEqual(['probe', 'another']);
    await engine.answerAll('ok');
    expect(changed()).toBe(false);
    engine.tools = [];
    expect(changed()).toBe(true);
    engine.models.change({ tools: false });
    await engine.send(session, 'without any');
    await engine.settle();
    await engine.answerAll('ok');
    expect(changed()).toBe(false);
  });
});
