import { afterEach, expect, test } from 'vitest';
import { startHttpServer } from '../testing/http-server';
import { ManualClock } from '../testing/manual-clock';
import { startOllamaServer } from '../testing/ollama-server';
import type { JobContext, Sink } from './process/job';
import { ollamaLoad, ollamaTalk } from './process/ollama-client';
import { LIMITS, type StreamPhase } from './protocol';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function bench() {
  const clock = new ManualClock();
  const cancel = new AbortController();
  const phases: StreamPhase[] = [];
  let sign = () => {};
  const sink: Sink = {
    phase: (phase) => void phases.push(phase),
    alive: () => sign(),
    text: () => {},
    call: () => {},
    usage: () => {},
    tools: () => {},
    stderr: () => {},
    progress: () => {},
    waiting: () => {},
    lateBytes: () => {},
    room: async () => {},
  };
  const hold = { pass: async () => {} };
  const context: JobContext = { sink, signal: cancel.signal, hold, limits: LIMITS, clock };
  const nextSign = () => new Promise<void>((resolve) => (sign = resolve));
  return { clock, cancel, phases, context, nextSign };
}
const at = (address: string) =>
  ({ kind: 'ollama', address, model: 'tiny-echo', key: null, keepSeconds: 600, askWindow: 4_096 }) as const;
const chat = (address: string) =>
  ({ kind: 'chat', target: at(address), messages: [{ role: 'user', content: 'one two' }], maxTokens: 20 }) as const;

async function ollama() {
  const server = await startOllamaServer();
  closing.push(server.close);
  return server;
}

test('a model that is not in memory is loaded first, and the answer is asked for once it is there', async () => {
  const { context, phases } = bench();
  const server = await ollama();
  server.behave({ holdLoad: true });
  const first = ollamaTalk(chat(server.address), at(server.address), context);
  expect((await server.asked('/api/generate')).body).toMatchObject({
    prompt: '',
    keep_alive: 600,
    options: { num_ctx: 4_096 },
  });
  expect(phases).toEqual(['connecting', 'loading']);
  expect(server.chats()).toEqual([]);
  server.release();
  expect(await first).toMatchObject({ finish: 'stop' });
  expect(phases.splice(0)).toEqual(['connecting', 'loading', 'reading', 'writing']);
  await ollamaTalk(chat(server.address), at(server.address), context);
  expect(phases).toEqual(['connecting', 'reading', 'writing']);
});

test('while a model loads, a server that answers gives a sign of life every ten seconds, and none afterwards', async () => {
  const { clock, context, nextSign } = bench();
  const server = await ollama();
  server.behave({ holdLoad: true });
  const loaded = ollamaLoad(at(server.address), context);
  await server.asked('/api/generate');
  for (const looks of [1, 2, 3]) {
    const sign = nextSign();
    clock.advance(10_000);
    await sign;
    expect(server.journal.filter(({ path }) => path === '/api/ps')).toHaveLength(looks);
  }
  server.release();
  expect(await loaded).toMatchObject({ value: { served: 4_096 } });
  expect(clock.armed).toBe(0);
});

test('a load that is cancelled ends its request and its looks', async () => {
  const { clock, cancel, context } = bench();
  const server = await ollama();
  server.behave({ holdLoad: true });
  const talk = ollamaTalk(chat(server.address), at(server.address), context);
  const load = await server.asked('/api/generate');
  cancel.abort();
  await expect(talk).rejects.toMatchObject({ name: 'AbortError' });
  await load.over;
  expect(load.aborted).toBe(true);
  expect(server.chats()).toEqual([]);
  expect(clock.armed).toBe(0);
});

/** Answers what the test says, and nothing else. */
async function mute(answers: Readonly<Record<string, string>> = {}) {
  const server = await startHttpServer(({ path }, response) => {
    if (answers[path] !== undefined) response.end(`${answers[path]}\n`);
  });
  closing.push(server.close);
  return server;
}

test('a cancel while it asks what is loaded ends at once, and loads nothing', async () => {
  const { clock, cancel, phases, context } = bench();
  const server = await mute();
  const talk = ollamaTalk(chat(server.url), at(server.url), context);
  await server.asked('/api/ps');
  cancel.abort();
  await expect(talk).rejects.toMatchObject({ name: 'AbortError' });
  expect(phases).toEqual(['connecting']);
  expect(server.journal).toHaveLength(1);
  expect(clock.armed).toBe(0);
});

test('a cancel while it looks for a sign ends at once', async () => {
  const { clock, cancel, context } = bench();
  const server = await mute();
  const load = ollamaLoad(at(server.url), context);
  await server.asked('/api/generate');
  clock.advance(10_000);
  await server.asked('/api/ps');
  cancel.abort();
  await expect(load).rejects.toMatchObject({ name: 'AbortError' });
  expect(clock.armed).toBe(0);
});

test('a model that is there while it looks for a sign is not waited for any longer', async () => {
  const { clock, context } = bench();
  let loaded = () => {};
  const server = await startHttpServer(({ path }, response) => {
    if (path === '/api/generate') loaded = () => response.end('{"done":true}\n');
  });
  closing.push(server.close);
  const load = ollamaLoad(at(server.url), context);
  await server.asked('/api/generate');
  clock.advance(10_000);
  await server.asked('/api/ps');
  loaded();
  await server.asked('/api/ps', 2); // how much it gives is asked at once
  clock.advance(2_000);
  expect(await load).toMatchObject({ value: { served: 4_096 } });
  expect(clock.armed).toBe(0);
});

test('a server that does not say what is loaded is asked all the same', async () => {
  const { clock, context } = bench();
  const answer = { message: { role: 'assistant', content: 'well' }, done: true, done_reason: 'stop' };
  const server = await mute({ '/api/generate': '{"done":true}', '/api/chat': JSON.stringify(answer) });
  const talk = ollamaTalk(chat(server.url), at(server.url), context);
  await server.asked('/api/ps');
  clock.advance(2_000);
  expect(await talk).toMatchObject({ value: { text: 'well' }, finish: 'stop' });
});

test('a server that has the model and does not answer is given up after the time of a reading, not of a load', async () => {
  const { clock, context } = bench();
  const server = await mute({ '/api/ps': '{"models":[{"name":"tiny-echo","context_length":4096}]}' });
  const talk = ollamaTalk(chat(server.url), at(server.url), context);
  await server.asked('/api/chat');
  clock.advance(31_000);
  await expect(talk).rejects.toMatchObject({ name: 'TimeoutError' });
});
