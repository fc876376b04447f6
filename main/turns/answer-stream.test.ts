import { afterEach, expect, test } from 'vitest';
import type { MessageId } from '../../shared/model/ids';
import { all } from '../db/database';
import { dropEmptyAnswer, insertMessage } from '../db/messages-table';
import type { StreamId } from '../hosts/protocol';
import { Engine } from '../testing/engine';
import { TempProfile } from '../testing/profile';
import { SimulatedStream } from '../testing/simulated-host';
import { AnswerStream } from './answer-stream';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function answering() {
  const profile = new TempProfile();
  const engine = new Engine(profile);
  ends.push(() => {
    engine.close();
    profile.remove();
  });
  const session = engine.session();
  const row = { ...session, id: 'a'.repeat(36) as MessageId, turnId: null, now: 1 };
  const { rid } = engine.write((tx) => insertMessage(tx, { ...row, role: 'assistant', status: 'streaming', text: '' }));
  const stream = new SimulatedStream(1 as StreamId, {
    kind: 'chat',
    target: engine.models.facts().target,
    messages: [],
    maxTokens: 10,
  });
  stream.onCancel = 'ignore';
  const { seam, clock } = engine;
  const env = { seam, clock, sessionId: session.sessionId, rid, modelName: 'm', began: () => {}, delta: () => {} };
  return { engine, session, rid, stream, answer: new AnswerStream(env, stream) };
}

test('what a host says after its answer was given up is neither stored nor left behind in parts', async () => {
  const { engine, session, stream, answer } = answering();
  stream.emit({ t: 'text', text: 'half an ' });
  await answer.store('partial');
  stream.emit({ t: 'text', text: 'answer' });
  await engine.pass(1_000);
  stream.answer(' and more');
  expect(await answer.store('complete')).toBe(true);
  expect(engine.texts(session.branchId)).toEqual(['half an ']);
  expect(all(engine.db, 'SELECT * FROM stream_parts')).toEqual([]);
});

test('an empty answer is taken away and counted once, however often its end is told', async () => {
  const { engine, session, rid, stream, answer } = answering();
  expect(await answer.store('partial')).toBe(false);
  stream.exit();
  expect(await answer.store('partial')).toBe(false);
  engine.write((tx) => dropEmptyAnswer(tx, session.sessionId, rid, 1));
  expect(engine.stored(session.sessionId)?.messages).toBe(0);
});
