import { expect, test } from 'vitest';
import { all } from '../db/database';
import { messagesBetween } from '../db/messages-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';

let engine: Engine;
eachEngine((made) => {
  engine = made;
});

const ask = async (session: Parameters<Engine['send']>[0]) => {
  await engine.send(session, 'question');
  await engine.settle();
};
const answerOf = ({ branchId }: Parameters<Engine['send']>[0]) => messagesBetween(engine.db, branchId, 1, 1_000).at(-1);
const reported = () =>
  all<{ reported: number | null }>(engine.db, 'SELECT reported FROM requests').map((row) => row.reported);

test('S59 a server that read fewer tokens than were sent: the answer says so, the window is learned and told', async () => {
  const session = engine.session(10, 800);
  await ask(session);
  const counted = Math.ceil(engine.texts(session.branchId).join('').length / 4);
  engine.models.cutAt = 1_024;
  engine.host.last.emit({ t: 'usage', prompt: 1_024, output: 2 });
  engine.host.last.answer('nonsense');
  await engine.settle();
  const { usage } = answerOf(session) ?? {};
  expect(usage?.promptTokens).toBe(1_024);
  expect(usage?.cutFrom).toBeGreaterThan(counted);
  expect(engine.published).toContain('learned 1024');
  expect(engine.models.reports).toEqual([]);
  expect(reported()).toEqual([null]);
  // what is sent next fits what was learned
  await engine.send(session, 'again');
  await engine.settle();
  await engine.answerAll();
  expect(engine.attempts(session.sessionId)).toMatchObject([{ outcome: { kind: 'committed' } }]);
});

test('a prompt that was read from a cache, in part, proves no cut', async () => {
  const session = engine.session(10, 800);
  await ask(session);
  engine.models.cutAt = 1_024;
  engine.host.last.emit({ t: 'usage', prompt: 1_024, cached: 900 });
  engine.host.last.answer('good');
  await engine.settle();
  expect(answerOf(session)?.usage?.cutFrom).toBeUndefined();
  expect(engine.models.reports).toEqual([1_024]);
});

test('an answer that ends by length at half of the asked window has met it: it is learned and told', async () => {
  engine.models.change({ window: { served: 8_192, trained: 32_768, source: 'asked' } });
  const session = engine.session(4);
  await ask(session);
  engine.host.last.emit({ t: 'usage', prompt: 3_000, output: 1_096 });
  engine.host.last.answer('the beginning', 'length');
  await engine.settle();
  expect(engine.models.learned).toEqual([4_096]);
  expect(engine.published).toEqual(expect.arrayContaining(['learned 4096', 'cut']));
  expect(answerOf(session)?.text).toBe('the beginning');
});

test.each([
  ['whose server bounds answers by itself', 300, 512, 'asked'],
  ['whose server has told its window', 3_000, 1_096, 'server'],
] as const)('an answer %s proves no window', async (_why, prompt, output, source) => {
  engine.models.change({ window: { served: 8_192, trained: 32_768, source } });
  const session = engine.session(4);
  await ask(session);
  engine.host.last.emit({ t: 'usage', prompt, output });
  engine.host.last.answer('the beginning', 'length');
  await engine.settle();
  expect(engine.models.learned).toEqual([]);
});

test('a count that is low because nothing was measured yet proves no cut', async () => {
  engine.models.change({ rates: { ascii: 1 / 3, cjk: 1, other: 0.75, calibrated: false } });
  const session = engine.session(6, 800);
  await ask(session);
  engine.models.cutAt = 4_096;
  engine.host.last.emit({ t: 'usage', prompt: 2_400, output: 2 });
  engine.host.last.answer('fine');
  await engine.settle();
  expect(answerOf(session)?.usage?.cutFrom).toBeUndefined();
});

test('an answer that ends at its limit proves nothing', async () => {
  const session = engine.session(4);
  await ask(session);
  const { job } = engine.host.last;
  if (job.kind !== 'chat') throw new Error('not a chat');
  engine.host.last.emit({ t: 'usage', prompt: 300, output: job.maxTokens });
  engine.host.last.answer('a long answer', 'length');
  await engine.settle();
  expect(engine.models.learned).toEqual([]);
});

test('an empty answer to a request past the hard mark is an overflow: it is compressed and asked once more', async () => {
  const session = engine.session(13, 800);
  engine.automatic = 'off';
  await ask(session);
  engine.automatic = 'on';
  engine.host.last.answer('');
  await engine.settle();
  expect(engine.attempts(session.sessionId)).toMatchObject([{ trigger: 'overflow' }]);
  await engine.answerAll();
  expect(engine.requests()).toHaveLength(2);
  expect(engine.turn(session.sessionId)?.state).toBe('completed');
});

test("an empty answer to a small request is the server's own fault", async () => {
  const session = engine.session(2);
  await ask(session);
  engine.host.last.answer('');
  await engine.settle();
  expect(engine.attempts(session.sessionId)).toEqual([]);
  expect(engine.turn(session.sessionId)).toMatchObject({ state: 'failed', reason: { code: 'refused-by-server' } });
});
