import { expect, test } from 'vitest';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { changeSession } from '../db/sessions-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import type { Range } from './plan';
import { wholeOf } from './whole';

let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };

eachEngine((made) => {
  engine = made;
  session = engine.session(10, 800); // past the soft mark; with the instruction it fits
});

const SUMMARY = '## State\n- user words number 1';
const say = async (text: string, answer = 'an answer') => {
  await engine.send(session, text);
  await engine.settle();
  for (const request of engine.requests()) if (!request.end) request.answer(answer);
  await engine.settle();
};
const chat = () => {
  const job = engine.requests().at(-1)?.job;
  if (job?.kind !== 'chat') throw new Error('no request');
  return job;
};
const summary = () => {
  const job = engine.host.last.job;
  if (job.kind !== 'summary') throw new Error('no summary was asked for');
  return job;
};

test('what the chat was sent stays byte for byte, and the instruction is put to its end', async () => {
  await say('one more question');
  const sent = chat().messages;
  const attempt = await engine.attempt(session, 'ahead');
  const { messages, whole } = summary();
  expect(whole).toBe(true);
  expect(messages.slice(0, sent.length)).toEqual(sent);
  expect(messages.slice(sent.length).map((message) => message.role)).toEqual(['assistant', 'user']);
  expect(messages.at(-1)?.content).toContain('Write a summary');
  expect(messages.at(-1)?.content).toMatch(/begins with “user words number \d/);

  await engine.answerAll(SUMMARY);
  expect((await attempt.outcome).kind).toBe('committed');
  expect(engine.attempts(session.sessionId)[0]).toMatchObject({ chunks: 1, chunksDone: 1 });
  expect(engine.host.streams.filter((stream) => stream.job.kind === 'summary')).toHaveLength(1);
});

test('what the server just found too long is not sent once more with an instruction', async () => {
  await engine.send(session, 'one more question');
  await engine.settle();
  engine.host.last.settle({
    ...{ t: 'failed', kind: 'refused', cause: 'overflow', name: 'Error', message: 'too long', fields: {} },
  });
  await engine.settle();
  expect(engine.coordinator.running(session.sessionId)?.spec.trigger).toBe('overflow');
  expect(summary().whole).toBeUndefined();
});

test('an identifier of the kept turns is not an invented one: the model had them before it', async () => {
  await say('please look at build-4711 and at release-0815');
  const attempt = await engine.attempt(session, 'ahead');
  await engine.answerAll('## State\n- user words number 1, before build-4711 and release-0815');
  expect((await attempt.outcome).kind).toBe('committed');
});

test('a stopped attempt has its one checkpoint, and the next one pays nothing', async () => {
  await say('one more question');
  await engine.attempt(session, 'ahead');
  engine.host.last.answer(SUMMARY);
  const commit = engine.coordinator.running(session.sessionId);
  commit?.cancel('unwind');
  await engine.settle();
  const asked = engine.host.streams.length;
  await engine.attempt(session, 'manual', ['summarize']);
  await engine.settle();
  if (engine.ended.at(-1)?.kind !== 'committed') await engine.answerAll(SUMMARY);
  expect(engine.host.streams.length - asked).toBeLessThanOrEqual(1);
});

test.each<[string, () => Promise<void> | void]>([
  ['nothing was asked here yet', () => {}],
  [
    'another model answered last',
    async () => {
      await say('one more question');
      engine.models.change({ ref: { ...engine.models.facts().ref, model: 'another' } });
    },
  ],
  [
    'what is sent begins otherwise now',
    async () => {
      await say('one more question');
      await engine.attempt(session, 'manual', ['extract']);
      await engine.settle();
    },
  ],
  [
    'it does not fit with the instruction',
    async () => {
      await say('one more question');
      engine.models.change({ window: { served: 5_400, trained: 5_400, source: 'server' } });
    },
  ],
])('the range is read in chunks where %s', async (_name, before) => {
  await before();
  await engine.attempt(session, 'manual', ['summarize']);
  expect(summary().whole).toBeUndefined();
  expect(summary().messages[0]?.content).toContain('notes');
});

test('on an embedded model it works in the chat’s place: a chat that comes ends it, and it is wished for again', async () => {
  engine.models.change({ target: { kind: 'embedded', path: '/models/test.gguf', askWindow: 8_192, threads: 2 } });
  await say('one more question');
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  expect(summary().whole).toBe(true);
  const other = engine.session();
  await engine.send(other, 'a question elsewhere');
  await engine.settle();
  expect(await attempt.outcome).toEqual({ kind: 'deferred', why: { kind: 'model-busy' } });
  engine.requests().at(-1)?.answer('an answer');
  await engine.settle();
  expect(summary().whole).toBe(true);
  engine.write((tx) => changeSession(tx, session.sessionId, { automatic: 'off' }));
});

/** A range from the start, and whether the chat is taken whole for it. `chosen` = as if a person had marked it. */
async function takenFor(range: object = {}, chosen: Range | null = null, otherWriter = false) {
  const { spec } = await engine.attempt(session, 'manual', ['summarize']);
  const plan = {
    ...{ kind: 'range' as const, from: 1, cutoff: 6, readFrom: 1, base: null, buildsOnBase: false },
    ...{ readAsText: [], shown: [], aboveTarget: false, ...range },
  };
  const sizes = { chunk: 1_000, notes: 500, fold: 2_000, summary: 1_000 };
  const writer = otherWriter ? { ...spec.model } : spec.model;
  return wholeOf(engine.db, { ...spec, range: chosen }, plan, writer, sizes);
}
const base = 1 as SummaryId;

test.each<[string, boolean, Parameters<typeof takenFor>]>([
  ['from the start', true, []],
  ['on a summary that is built upon', true, [{ base, buildsOnBase: true }]],
  ['on one that is read again from its originals', false, [{ base, buildsOnBase: false }]],
  ['with a summary in the middle, read as text', false, [{ readAsText: [base] }]],
  ['that a person chose, be it from the start', false, [{}, { from: 1, to: 6 }]],
  ['that another model than the chat’s is to write', false, [{}, null, true]],
])('a range %s is read as the chat was sent it: %s', async (_name, taken, args) => {
  await say('one more question');
  expect((await takenFor(...args)) !== null).toBe(taken);
});

test('the instruction names the first message that stays, and asks for half of the room in words', async () => {
  await say('one more question');
  expect((await takenFor())?.messages.at(-1)?.content).toMatch(
    /at most 300 words .* and without, the user's message that begins with “user words number 3 /,
  );
});

test('where nothing stays the instruction names no end', async () => {
  await say('one more question');
  const last = engine.texts(session.branchId).length;
  expect((await takenFor({ cutoff: last }))?.messages.at(-1)?.content).toMatch(/of the conversation above, so that/);
});

test('behind a question that waits for its answer the instruction goes out in one message with it', async () => {
  await say('one more question');
  const sent = chat().messages;
  engine.say(session, 'user', 'and the next one');
  const messages = (await takenFor())?.messages ?? [];
  expect(messages.slice(0, sent.length)).toEqual(sent);
  expect(messages.slice(sent.length)).toEqual([
    { role: 'assistant', content: 'an answer' },
    { role: 'user', content: expect.stringMatching(/^and the next one\n\n\[The conversation pauses here/) },
  ]);
});

test('a range that ends before a summary in the middle is read in chunks: no message that the model has marks its end', async () => {
  await engine.attempt(session, 'manual', ['extract'], { from: 9, to: 14 });
  await engine.settle();
  expect(engine.shown(session.branchId)).toMatchObject([{ coversFrom: 9, coversTo: 14 }]);
  await say('one more question');
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  expect(attempt.candidate.cutoff).toBe(8);
  expect(summary().whole).toBeUndefined();
});
