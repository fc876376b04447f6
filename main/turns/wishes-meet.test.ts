/** Wishes of different kinds that meet in one session: none of them makes another's outcome false. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptId, BranchId, SessionId } from '../../shared/model/ids';
import { afterNothingToGain } from '../compression/backoff';
import { putBackoff } from '../db/backoffs-table';
import { changeSession } from '../db/sessions-table';
import { putText } from '../db/texts-table';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { TestTool } from '../testing/test-tool';

type Session = { sessionId: SessionId; branchId: BranchId };

let profile: TempProfile;
let engine: Engine;
beforeEach(() => {
  profile = new TempProfile();
  engine = new Engine(profile);
});
afterEach(() => {
  engine.close();
  profile.remove();
});

const SUMMARY = '## Goal\n- The words of the first message matter.';
const state = (session: Session) => engine.turn(session.sessionId)?.state;
const send = async (session: Session, text: string) => {
  await engine.send(session, text);
  await engine.settle();
};
const pasted = (session: Session, lines: number) => {
  engine.say(session, 'user', `look\n\n\`\`\`\n${'a pasted line of text\n'.repeat(lines)}\`\`\``);
  engine.say(session, 'assistant', 'done');
};

test('a summary that waits for its review holds back no request that fits, nor the compression that one after tools must have', async () => {
  const tool = new TestTool();
  engine.tools = [tool];
  const session = engine.session(10, 800);
  engine.setReview(session.sessionId, true);
  await engine.attempt(session, 'manual', ['extract']);
  expect(engine.proposal(session.sessionId)).not.toBeNull();
  await send(session, 'question '.repeat(700)); // past the hard mark
  expect(state(session)).toBe('requesting');
  engine.host.last.call([['probe', { n: 1 }]]);
  await engine.settle();
  tool.last.resolve('word '.repeat(2_000)); // with it the next request does not fit
  await engine.settle();
  expect(state(session)).toBe('compressing');
});

test('a turn that must be compressed does not join what a person chose of fewer strategies', async () => {
  const session = engine.session(24, 800);
  const byHand = engine.compress(session, 'manual', ['prune']);
  await send(session, 'and now?');
  await byHand;
  await engine.answerAll(SUMMARY);
  expect(state(session)).toBe('completed');
  expect(engine.shown(session.branchId)).toHaveLength(1);
});

test('a request that fits does not end a compression by hand that waits for its place: it goes out', async () => {
  engine.close();
  engine = new Engine(profile, undefined, undefined, 0);
  const session = engine.session(13, 800);
  const byHand = await engine.attempt(session, 'manual');
  await send(session, 'q '.repeat(1_000));
  expect(state(session)).toBe('compressing');
  await engine.pass(2_000);
  expect(state(session)).toBe('requesting');
  expect(byHand.state.phase.at).toBe('waiting');
});

test('lines that leave a request as long as it was are no reason to stop: the summary follows', async () => {
  const session = engine.session(2, 200);
  pasted(session, 56);
  engine.fill(session.sessionId, session.branchId, 5, 830);
  engine.write((tx) => changeSession(tx, session.sessionId, { promptHash: putText(tx, 'system rule '.repeat(1_400)) }));
  await send(session, 'and now?'); // two thirds of it are the system prompt
  await engine.answerAll(SUMMARY);
  expect(state(session)).toBe('completed');
});

test('without extract, a pause until the session has grown ends no turn: what there is to gain is looked at anew', async () => {
  engine.extractAllowed = false;
  const session = engine.session(15, 800);
  const pause = afterNothingToGain(null, 'summarize', 0 as AttemptId, 1e6, 1);
  engine.write((tx) => putBackoff(tx, session.sessionId, pause));
  await send(session, 'and now? '.repeat(300));
  await engine.answerAll(SUMMARY);
  expect(state(session)).toBe('completed');
});

test('a summary that is no smaller than what is shown leads to the extract', async () => {
  const session = engine.session(12, 800);
  await engine.attempt(session, 'manual', ['extract']);
  await send(session, 'question '.repeat(2_080)); // it leaves little beside it
  const words = (n: number) =>
    `- user words number ${n % 12} and the ${'very '.repeat(n % 7)}same ${'again '.repeat(n % 5)}here and there.`;
  await engine.answerAll(`## State\n${Array.from({ length: 62 }, (_, n) => words(n)).join('\n')}`);
  expect(engine.attempts(session.sessionId)[0]).toMatchObject({ strategy: 'extract', outcome: { kind: 'committed' } });
  expect(state(session)).toBe('completed');
});

test('a turn that waits for a worker’s end asks nothing until it is proved, and then goes on', async () => {
  engine.extractAllowed = false;
  const session = engine.session(24, 800);
  const byHand = await engine.attempt(session, 'manual', ['summarize']);
  const worker = engine.host.last;
  worker.onCancel = 'ignore';
  worker.onKill = 'never';
  byHand.cancel('user');
  await send(session, 'and now?');
  expect(engine.turn(session.sessionId)?.reason).toMatchObject({ why: { kind: 'worker-exiting' } });
  const asked = engine.attempts(session.sessionId).length;
  await engine.pass(60_000);
  expect(engine.attempts(session.sessionId)).toHaveLength(asked);
  worker.exit();
  await engine.settle();
  await engine.pass(2_000);
  await engine.answerAll(SUMMARY);
  expect(state(session)).toBe('completed');
});

describe('a turn that finds every summarizer at work, without extract', () => {
  const waits = async () => {
    engine.extractAllowed = false;
    const busy = [engine.session(24, 800), engine.session(24, 800)];
    for (const one of busy) await engine.attempt(one, 'manual', ['summarize']);
    const session = engine.session(24, 800);
    await send(session, 'and now?');
    return session;
  };
  const why = (session: Session) => engine.turn(session.sessionId)?.reason;

  test('waits until one is free: no try is made before, and none is written', async () => {
    const session = await waits();
    await engine.pass(2_000);
    expect(why(session)).toMatchObject({ why: { kind: 'model-busy' } });
    await engine.pass(20_000);
    expect(engine.attempts(session.sessionId)).toHaveLength(1);
    expect(why(session)).toMatchObject({ why: { kind: 'model-busy' } });
    await engine.answerAll(SUMMARY);
    expect(state(session)).toBe('completed');
    expect(engine.attempts(session.sessionId)).toHaveLength(2);
  });

  test('goes on where one came free while its deferral was told', async () => {
    const session = await waits();
    const [busy] = engine.coordinator.all();
    engine.onEnded = (outcome) => {
      if (outcome.kind === 'deferred') busy?.cancel('user');
    };
    await engine.pass(2_000);
    expect(state(session)).toBe('compressing');
    await engine.answerAll(SUMMARY);
    expect(state(session)).toBe('completed');
  });

  test('is stopped at once', async () => {
    const session = await waits();
    await engine.pass(2_000);
    await engine.turns.stop(session.sessionId);
    await engine.settle();
    expect(state(session)).toBe('stopped');
    await engine.answerAll(SUMMARY);
    expect(engine.attempts(session.sessionId)).toHaveLength(1);
  });
});

test('lines are in use at once where a review was asked for while they were made', async () => {
  const session = engine.session(2, 400);
  pasted(session, 800);
  engine.fill(session.sessionId, session.branchId, 4, 800);
  const started = engine.compress(session, 'must');
  const planning = () => engine.coordinator.running(session.sessionId)?.state.phase.at === 'planning';
  for (let i = 0; i < 100 && !planning(); i++) await Promise.resolve();
  engine.setReview(session.sessionId, true);
  await started;
  expect(engine.attempts(session.sessionId)[0]).toMatchObject({ strategy: 'prune', outcome: { kind: 'committed' } });
  expect(engine.proposal(session.sessionId)).toBeNull();
});
