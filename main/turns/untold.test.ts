/** Telling the windows fails: what was done stays done. */
import { expect, test } from 'vitest';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';

let engine: Engine;
eachEngine((made) => {
  engine = made;
});
const gone = () => {
  throw new Error('the page is gone');
};

test('of a message: its turn runs, and can be stopped', async () => {
  const session = engine.session();
  engine.onMessage = () => {
    engine.onMessage = () => {};
    gone();
  };
  await expect(engine.send(session, 'question')).rejects.toThrow('the page is gone');
  await engine.settle();
  expect(engine.turn(session.sessionId)?.state).toBe('requesting');
  await engine.turns.stop(session.sessionId);
  await engine.settle();
  expect(engine.turn(session.sessionId)?.state).toBe('stopped');
  expect(engine.lease(session.sessionId, 'turn').instanceId).toBeNull();
});

test('of what the server counted: the answer is an answer', async () => {
  const session = engine.session();
  engine.onCounted = gone;
  await engine.send(session, 'question');
  await engine.settle();
  engine.host.last.emit({ t: 'usage', prompt: 100 });
  await engine.answerAll('ok');
  expect(engine.turn(session.sessionId)?.state).toBe('completed');
});
