/** "Continue": a turn that goes on with the answer at the end of its path, whatever comes between. */
import { beforeEach, expect, test } from 'vitest';
import { messagesBefore } from '../db/messages-table';
import { changeSession } from '../db/sessions-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';

let engine: Engine;
let session: ReturnType<Engine['session']>;
eachEngine((made) => {
  engine = made;
});

const sent = (index: number) => {
  const { job } = engine.requests()[index] ?? {};
  return job?.kind === 'chat' ? job.messages : [];
};
const free = () => {
  expect(engine.lease(session.sessionId, 'turn').instanceId).toBeNull();
  expect(engine.lease(session.sessionId).instanceId).toBeNull();
  expect(engine.host.running).toHaveLength(0);
};
/** The wish at the end of a request. */
const goOn = { role: 'user', content: expect.stringMatching(/^Continue your last answer/) };

beforeEach(async () => {
  session = engine.session();
  await engine.send(session, 'question');
  await engine.settle();
  engine.host.last.emit({ t: 'text', text: 'The answer is for' });
  await engine.turns.stop(session.sessionId);
  await engine.settle();
});

const goesOn = async () => {
  await engine.turns.continueAnswer(session.sessionId, session.branchId);
  await engine.settle();
};
const sendAgain = async () => {
  await engine.turns.sendAgain(session.sessionId, session.branchId);
  await engine.settle();
};

test('it goes on with a partial answer; both are sent as one text', async () => {
  await goesOn();
  expect(sent(1).slice(1)).toEqual([{ role: 'assistant', content: 'The answer is for' }, goOn]);
  await engine.answerAll('ty-two.');
  await engine.send(session, 'next');
  await engine.settle();
  expect(sent(2)[1]).toEqual({ role: 'assistant', content: 'The answer is forty-two.' });
  await engine.answerAll('ok');
  free();
});

test('it goes on after a restart, where it had to wait before', async () => {
  await engine.send(engine.session(), 'another chat');
  await engine.settle();
  await goesOn();
  expect(engine.turn(session.sessionId)?.reason).toMatchObject({ why: { kind: 'server-busy' } });
  engine = engine.restart();
  await sendAgain();
  expect(sent(0)).toEqual([
    { role: 'user', content: 'question' },
    { role: 'assistant', content: 'The answer is for' },
    goOn,
  ]);
  await engine.answerAll('ty-two.');
  free();
});

test('sent again after a failure it goes on, unless a newer message waits', async () => {
  const fail = async () => {
    engine.host.last.dieOfTimeout();
    await engine.settle();
    expect(engine.turn(session.sessionId)?.state).toBe('failed');
  };
  await goesOn();
  await fail();
  await sendAgain();
  expect(sent(2).at(-1)).toEqual(goOn);
  await engine.send(session, 'newer');
  await fail();
  await sendAgain();
  expect(sent(3).at(-1)).toEqual({ role: 'user', content: 'newer' });
  await engine.answerAll('ok');
  await sendAgain(); // nothing is left undone
  expect(engine.requests()).toHaveLength(4);
  free();
});

/** A whole answer is stored, and that comes in the step in which it is: its turn has not ended yet. */
const answeredThen = async (act: () => void) => {
  let done = false;
  engine.seam.onWrite(() => {
    const last = messagesBefore(engine.db, session.branchId, 99, 1)[0];
    if (done || last?.text !== 'All is said.' || last.status !== 'complete') return;
    done = true;
    act();
  });
  await engine.send(session, 'and this?');
  await engine.settle();
  engine.host.last.answer('All is said.');
  await engine.settle();
  expect(done).toBe(true);
};

test.each([
  ['the app quits', () => void engine.turns.quit()],
  ['the app dies', () => engine.die()],
])('an answer that is whole is not gone on with, where %s before its turn has ended', async (_, end) => {
  await answeredThen(end);
  engine = engine.restart();
  expect(engine.turn(session.sessionId)?.state).toBe('completed');
  await sendAgain();
  expect(engine.requests()).toEqual([]);
});

test('nor one that was stopped as its end was stored', async () => {
  await answeredThen(() => void engine.turns.stop(session.sessionId));
  expect(engine.turn(session.sessionId)?.state).toBe('stopped');
  await sendAgain();
  expect(engine.requests()).toHaveLength(2);
});

test('where a summary covers the answer, it and the wish are one message', async () => {
  engine.fill(session.sessionId, session.branchId, 20);
  engine.write((tx) => changeSession(tx, session.sessionId, { keepTurns: 0 }));
  const attempt = await engine.attempt(session, 'manual', ['extract']);
  expect((await attempt.outcome).kind).toBe('committed');
  await goesOn();
  expect(sent(1).map(({ role }) => role)).toEqual(['user']);
  expect(sent(1)[0]?.content).toMatch(/^\[Summary[\s\S]*\n\nContinue your last answer/);
  await engine.answerAll('ok');
  free();
});
