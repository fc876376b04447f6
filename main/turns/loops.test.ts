/** Loops, hangs and false outcomes that users of comparable apps ran into, on the product's engine. */
import { expect, test } from 'vitest';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

type Session = { sessionId: SessionId; branchId: BranchId };
const summaries = () => engine.host.streams.filter((stream) => stream.job.kind === 'summary');
const turn = (session: Session) => engine.turn(session.sessionId)?.state;
const free = (session: Session) => {
  expect(engine.lease(session.sessionId).instanceId).toBeNull();
  expect(engine.lease(session.sessionId, 'turn').instanceId).toBeNull();
  expect(engine.host.running).toHaveLength(0);
};
/** Answers what is asked: summaries with a good one, chats with a few words. */
const answer = async () => engine.answerAll();

test('S4 a plain chat of 30,000 tokens in a window of 8,192 is summarized in chunks, and goes on', async () => {
  const session = engine.session(75, 800);
  await engine.send(session, 'and now?');
  await engine.settle();
  await answer();
  expect(turn(session)).toBe('completed');
  expect(summaries().length).toBeGreaterThan(3);
  expect(engine.shown(session.branchId)).toHaveLength(1);
  const asked = summaries().length;
  await engine.send(session, 'and then?');
  await engine.settle();
  await answer();
  expect(turn(session)).toBe('completed');
  expect(summaries()).toHaveLength(asked);
  free(session);
});

test('S12 a summary that takes 200 s of steady writing says "writing" to its end, and has one outcome', async () => {
  const session = engine.session(12, 800);
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  const stream = engine.host.last;
  const phases = new Set<string>();
  for (let second = 0; second < 200; second += 20) {
    stream.emit({ t: 'text', text: `- user words number ${second / 20}\n` });
    await engine.pass(20_000, 10_000);
    phases.add(attempt.view().phase);
  }
  expect([...phases]).toEqual(['writing']);
  expect(engine.ended).toHaveLength(0);
  stream.answer('## State\n- user words number 1');
  await engine.settle();
  expect(engine.ended, engine.attempts(session.sessionId)[0]?.error ?? '').toMatchObject([{ kind: 'committed' }]);
  expect(engine.attempts(session.sessionId)).toHaveLength(1);
  free(session);
});

test('S16 after a stall the next turns go on by extract, and ask the summarizer nothing while it pauses', async () => {
  const session = engine.session(40, 800);
  await engine.send(session, 'the first question');
  await engine.settle();
  await engine.pass(31_000);
  await answer();
  expect(turn(session)).toBe('completed');
  expect(engine.shown(session.branchId)[0]?.author).toBe('extract');
  const asked = summaries().length;
  for (const text of ['the second question', 'the third question']) {
    engine.fill(session.sessionId, session.branchId, 8, 800);
    await engine.send(session, text);
    await engine.settle();
    await answer();
    expect(turn(session)).toBe('completed');
  }
  expect(summaries()).toHaveLength(asked);
  free(session);
});

test('S25 the request that follows a compression leaves room for its answer, and a stop while it runs ends it at once', async () => {
  const session = engine.session(40, 800);
  await engine.send(session, 'a question');
  await engine.settle();
  expect(turn(session)).toBe('compressing');
  await engine.turns.stop(session.sessionId);
  await engine.settle();
  expect(turn(session)).toBe('stopped');
  free(session);
  await engine.turns.sendAgain(session.sessionId, session.branchId);
  await engine.settle();
  await answer();
  expect(turn(session)).toBe('completed');
  const job = engine.requests().at(-1)?.job;
  if (job?.kind !== 'chat') throw new Error('no request');
  expect(job.maxTokens).toBeGreaterThan(2_048); // a quarter of the window is kept for the answer
  free(session);
});

test('S18 a compression that finds nothing to do is no failure of the turn', async () => {
  const session = engine.session(1, 10_000); // past the hard mark, and all of it is kept as it is
  await engine.send(session, 'a question');
  await engine.settle();
  await answer();
  expect(turn(session)).toBe('completed');
  expect(engine.attempts(session.sessionId).map((attempt) => attempt.outcome?.kind)).toEqual(['nothing-to-do']);
  free(session);
});
