import { describe, expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { TestTool } from '../testing/test-tool';

let engine: Engine;
let long: { sessionId: SessionId; branchId: BranchId };
let short: { sessionId: SessionId; branchId: BranchId };

eachEngine((made) => {
  engine = made;
  long = engine.session(40, 800);
  short = engine.session();
});

const EMBEDDED = { kind: 'embedded', path: '/models/test.gguf', askWindow: 8_192, threads: 2 } as const;
const summaries = () => engine.host.streams.filter((stream) => stream.job.kind === 'summary');
const chat = () => {
  const stream = engine.requests().at(-1);
  if (!stream) throw new Error('no request left');
  return stream;
};

test('an attempt on a server that works on one request at a time lets a chat go first, and goes on from its chunks', async () => {
  const attempt = await engine.attempt(long, 'manual', ['summarize']);
  engine.host.last.answer('## State\n- user words number 1');
  await engine.settle();
  await engine.send(short, 'a short question');
  await engine.settle();
  expect(await attempt.outcome).toEqual({ kind: 'deferred', why: { kind: 'model-busy' } });
  expect(engine.lease(long.sessionId).instanceId).toBeNull();
  expect(engine.backoff(long.sessionId)).toBeNull();
  expect(summaries()).toHaveLength(2);

  chat().answer('an answer');
  await engine.settle();
  const again = engine.coordinator.running(long.sessionId);
  expect(again?.need).toBe('manual');
  expect(again?.candidate.run?.part).toBe(2); // the first chunk was paid for
  await engine.answerAll();
  expect(engine.shown(long.branchId)).toHaveLength(1);
});

test('one that begins while a chat is answered asks the server nothing before its end', async () => {
  await engine.send(short, 'a short question');
  await engine.settle();
  const attempt = await engine.attempt(long, 'manual', ['summarize']);
  expect((await attempt.outcome).kind).toBe('deferred');
  expect(summaries()).toHaveLength(0);
  chat().answer('an answer');
  await engine.settle();
  expect(summaries()).toHaveLength(1);
});

test('a server that works on several requests at once has room for both', async () => {
  engine.models.change({ oneAtATime: false });
  const attempt = await engine.attempt(long, 'manual', ['summarize']);
  await engine.send(short, 'a short question');
  await engine.settle();
  expect(attempt.state.phase.at).toBe('summarizing');
  expect(engine.host.running).toHaveLength(2);
});

test('an embedded attempt pauses where it is, and nobody loses patience meanwhile', async () => {
  engine.models.change({ target: EMBEDDED });
  const attempt = await engine.attempt(long, 'manual', ['summarize']);
  const reading = engine.host.last;
  await engine.send(short, 'a short question');
  await engine.settle();
  expect({ paused: reading.paused, shown: attempt.view().paused }).toEqual({ paused: true, shown: true });
  const answer = chat();
  for (let i = 0; i < 40; i++) {
    answer.emit({ t: 'text', text: 'word ' });
    await engine.pass(30_000, 30_000);
  }
  expect(attempt.state.phase.at).toBe('summarizing');

  answer.answer('the end');
  await engine.settle();
  expect({ paused: reading.paused, shown: attempt.view().paused }).toEqual({ paused: false, shown: false });
  await engine.answerAll();
  expect((await attempt.outcome).kind).toBe('committed');
});

test('the next part of a paused attempt begins paused', async () => {
  engine.models.change({ target: EMBEDDED });
  await engine.attempt(long, 'manual', ['summarize']);
  const first = engine.host.last;
  await engine.send(short, 'a short question');
  await engine.settle();
  first.answer('## State\n- user words number 1'); // its last token was on its way
  await engine.settle();
  expect(summaries()).toHaveLength(2);
  expect(summaries()[1]?.paused).toBe(true);
});

test('one that begins beside a chat of its own model begins paused, is shown so, and goes on when the chat has ended', async () => {
  engine.models.change({ target: EMBEDDED });
  await engine.send(short, 'a short question');
  await engine.settle();
  const attempt = await engine.attempt(long, 'manual', ['summarize']);
  const [stream] = summaries();
  expect([stream?.paused, attempt.view().paused]).toEqual([true, true]);
  chat().answer('an answer');
  await engine.settle();
  expect([stream?.paused, attempt.view().paused]).toEqual([false, false]);
  await engine.answerAll();
  expect((await attempt.outcome).kind).toBe('committed');
});

test('an attempt that a turn waits for does not stand back', async () => {
  await engine.send(long, 'a question that does not fit');
  await engine.settle();
  const attempt = engine.coordinator.running(long.sessionId);
  expect(attempt?.turnId).not.toBeNull();
  await engine.send(short, 'a short question');
  await engine.settle();
  expect(attempt?.state.phase.at).toBe('summarizing');
});

test('a turn that begins to wait for a paused attempt lets it go on', async () => {
  engine.models.change({ target: EMBEDDED });
  const attempt = await engine.attempt(long, 'ahead');
  await engine.send(short, 'a short question');
  await engine.settle();
  expect(attempt.view().paused).toBe(true);
  await engine.send(long, 'a question that does not fit');
  await engine.settle();
  expect(attempt.turnId).not.toBeNull();
  expect(attempt.view().paused).toBe(false);
});

test('what stood back is not wished for again once its user cancelled it', async () => {
  await engine.attempt(long, 'manual', ['summarize']);
  await engine.send(short, 'a short question');
  await engine.settle();
  expect(engine.coordinator.cancel(long.sessionId, null, 'user')).toBe(true);
  chat().answer('an answer');
  await engine.settle();
  expect(engine.coordinator.running(long.sessionId)).toBeNull();
});

test('left behind at the hard mark, an attempt goes on after the answer', async () => {
  const session = engine.session(12, 800);
  await engine.send(session, `${'words '.repeat(200)}end`);
  await engine.settle();
  await engine.pass(15_000);
  await engine.settle();
  expect(engine.coordinator.running(session.sessionId)).toBeNull();
  chat().answer('an answer');
  await engine.settle();
  expect(engine.turn(session.sessionId)?.state).toBe('completed');
  await engine.answerAll();
  expect(engine.shown(session.branchId)).toHaveLength(1);
});

describe('between the requests of a turn nothing begins that the next of them would push aside', () => {
  const attempts = () => engine.attempts(long.sessionId).map(({ outcome }) => outcome?.kind ?? 'running');
  const calls = async () => {
    chat().call([['probe', {}]]);
    await engine.settle();
  };

  test('while its tools run: the wish is heard once, when the turn has ended', async () => {
    const tool = new TestTool();
    engine.tools = [tool];
    await engine.attempt(long, 'manual', ['summarize']);
    await engine.send(short, 'a short question');
    await engine.settle();
    expect(attempts()).toEqual(['deferred']);
    for (let round = 0; round < 3; round++) {
      await calls();
      expect(engine.turn(short.sessionId)?.state).toBe('tools');
      expect(attempts()).toEqual(['deferred']);
      tool.last.resolve('a result');
      await engine.settle();
    }
    chat().answer('an answer');
    await engine.settle();
    expect(attempts()).toEqual(['running', 'deferred']);
  });

  test('nor while what waits in the outbox goes next', async () => {
    await engine.attempt(long, 'manual', ['summarize']);
    await engine.send(short, 'a short question');
    await engine.send(short, 'and another');
    await engine.settle();
    chat().answer('an answer');
    await engine.settle();
    expect(engine.requests()).toHaveLength(2);
    expect(attempts()).toEqual(['deferred']);
    chat().answer('an answer');
    await engine.settle();
    expect(attempts()).toEqual(['running', 'deferred']);
  });

  test('nor ahead of need, in another chat', async () => {
    const tool = new TestTool();
    engine.tools = [tool];
    const past = engine.session(10, 800);
    await engine.send(past, 'one more question');
    await engine.settle();
    chat().answer('an answer');
    await engine.send(short, 'a short question');
    await engine.settle();
    await calls();
    await engine.pass(10_000);
    expect(engine.attempts(past.sessionId)).toHaveLength(0);
    tool.last.resolve('a result');
    await engine.settle();
    chat().answer('an answer');
    await engine.pass(4_000);
    expect(engine.attempts(past.sessionId)).toHaveLength(1);
  });

  test('a turn that is deferred keeps nobody waiting', async () => {
    const tool = new TestTool();
    engine.tools = [tool];
    await engine.attempt(long, 'manual', ['summarize']);
    await engine.send(short, 'a short question');
    await engine.settle();
    await calls();
    // what it read does not fit, and compressing is off: it waits for a click
    engine.automatic = 'off';
    tool.last.resolve('words '.repeat(8_000));
    engine.fill(short.sessionId, short.branchId, 30, 800);
    await engine.settle();
    expect(engine.turn(short.sessionId)?.state).toBe('deferred');
    expect(attempts()).toEqual(['running', 'deferred']);
  });

  test('a paused attempt goes on between them: it is paused again where it is', async () => {
    const tool = new TestTool();
    engine.tools = [tool];
    engine.models.change({ target: EMBEDDED });
    const attempt = await engine.attempt(long, 'manual', ['summarize']);
    await engine.send(short, 'a short question');
    await engine.settle();
    expect(attempt.view().paused).toBe(true);
    await calls();
    expect(attempt.view().paused).toBe(false);
    tool.last.resolve('a result');
    await engine.settle();
    expect(attempt.view().paused).toBe(true);
    expect(attempts()).toEqual(['running']);
  });
});
