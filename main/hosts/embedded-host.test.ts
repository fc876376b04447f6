import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { Collected } from '../testing/collect';
import { buildHostEntry, nodeFork } from '../testing/node-fork';
import { practiceModelFile } from '../testing/practice-model';
import { HostPool } from './pool';
import type { ChatMessage, Job, Target } from './protocol';
import { isRefusal } from './stream-handle';

// Real processes start slowly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const WINDOW = 1_024;
let target: Extract<Target, { kind: 'embedded' }>;
let pool: HostPool;
let entry: Awaited<ReturnType<typeof buildHostEntry>>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  target = { kind: 'embedded', path: practiceModelFile(), askWindow: WINDOW, threads: 1, greedy: true };
  entry = await buildHostEntry();
  pool = new HostPool({
    fork: nodeFork(entry.file, (child) => children.push(child)),
    clock: systemClock,
    instance: 'test',
    platform: process.platform,
    log: silentLog,
  });
});
afterAll(async () => {
  await pool.close(1_000);
  await entry.remove();
});

function open(job: Job): Collected {
  const opened = pool.open(job);
  if (isRefusal(opened)) throw new Error(opened.refused);
  return new Collected(opened);
}
const user = (content: string): ChatMessage => ({ role: 'user', content });
const chat = (messages: readonly ChatMessage[], maxTokens = 400, kind: 'chat' | 'summary' = 'chat') =>
  open({ kind, target, messages, maxTokens });

/** A text that this model repeats for ever. */
const ENDLESS = [user('again and again and again and again')];
const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i * 7919}`).join(' ');

test('a chat streams the echo of the practice model through real llama.cpp', async () => {
  const text = 'Grüße aus Köln 🎉, the key is 4711';
  const stream = chat([user(text)]);
  expect(await stream.end).toEqual({ t: 'result', value: { text }, finish: 'stop' });
  expect(stream.text).toBe(text);
  expect(stream.phases).toEqual(['loading', 'reading', 'writing']);
});

test('the count is that of the request, to the token', async () => {
  const messages = [user('def f(x):\n  return x + 1')];
  const counted = await open({ kind: 'count', target, messages }).end;
  const sent = chat(messages);
  await sent.end;
  expect(counted).toMatchObject({ t: 'result', value: { tokens: sent.usage?.t === 'usage' && sent.usage.prompt } });
});

test('a prompt longer than the window is refused with both numbers, not cut', async () => {
  const stream = chat([user(words(600))]);
  const end = await stream.end;
  expect(end).toMatchObject({ t: 'failed', kind: 'refused', cause: 'overflow', fields: { windowTokens: WINDOW } });
  expect(end.t === 'failed' && end.fields.needTokens).toBeGreaterThan(WINDOW);
  expect(stream.text).toBe('');
});

test('an answer that reaches the window ends by length, without shifting the context', async () => {
  const stream = chat(ENDLESS, 1_000_000);
  expect(await stream.end).toMatchObject({ t: 'result', finish: 'length' });
  const usage = stream.usage;
  expect(usage?.t === 'usage' && (usage.prompt ?? 0) + (usage.output ?? 0)).toBeLessThanOrEqual(WINDOW);
});

test('the next turn of a chat reads only what is new', async () => {
  const first = [user(`Remember this list: ${words(60)}`)];
  const opening = chat(first);
  const end = await opening.end;
  const said = end.t === 'result' ? (end.value as { text: string }).text : '';
  const next = chat([...first, { role: 'assistant', content: said }, user('thanks a lot')]);
  await next.end;
  const usage = next.usage;
  if (usage?.t !== 'usage') throw new Error('no usage');
  expect((usage.prompt ?? 0) - (usage.cached ?? 0)).toBeLessThan(40);
});

test('a summary in between does not push the chat out of the cache', async () => {
  const messages = [user(`An unusual opening: ${words(50)}`)];
  await chat(messages, 4).end;
  await chat([user(`Something else altogether: ${words(80)}`)], 8, 'summary').end;
  const again = chat(messages, 4);
  await again.end;
  const usage = again.usage;
  expect(usage?.t === 'usage' && (usage.prompt ?? 0) - (usage.cached ?? 0)).toBe(1);
});

test('a summary of the whole chat reads only its instruction, and leaves the chat its cache', async () => {
  const messages = [user(`An unusual opening: ${words(60)}`)];
  const first = chat(messages, 4);
  await first.end;
  const asked = [...messages, { role: 'assistant', content: first.text } as const, user('Now sum it up.')];
  const summary = open({ kind: 'summary', target, messages: asked, maxTokens: 8, whole: true });
  await summary.end;
  const read = ({ usage }: typeof summary) => (usage?.t === 'usage' ? (usage.prompt ?? 0) - (usage.cached ?? 0) : -1);
  const prompt = summary.usage?.t === 'usage' ? (summary.usage.prompt ?? 0) : 0;
  expect(read(summary)).toBeGreaterThan(0);
  expect(read(summary)).toBeLessThan(prompt / 3);
  const again = chat(messages, 4);
  await again.end;
  expect(read(again)).toBe(1);
});

test('a cancel ends the evaluation, proves it by stopped, and leaves the model usable', async () => {
  const stream = chat(ENDLESS, 900);
  await stream.seen((event) => event.t === 'text');
  stream.handle.cancel('user');
  expect(await stream.end).toEqual({ t: 'stopped' });
  expect(await chat([user('still here?')]).end).toMatchObject({ t: 'result', value: { text: 'still here?' } });
});

test('a cancel while the prompt is read is obeyed between two slices', async () => {
  const stream = chat([user(words(90))]);
  await stream.seen((event) => event.t === 'phase' && event.phase === 'reading' && (event.done ?? 0) > 0);
  stream.handle.cancel('user');
  const end = await stream.end;
  expect(end.t).toBe('stopped');
  expect(stream.text).toBe('');
});

test('a paused summary stands still while a chat is answered, and goes on after it', async () => {
  const summary = chat([user(`again and again and again and again`)], 300, 'summary');
  await summary.seen((event) => event.t === 'text');
  summary.handle.pause();
  await summary.seen((event) => event.t === 'paused');
  const written = summary.text.length;
  expect(await chat([user('you first')]).end).toMatchObject({ t: 'result', value: { text: 'you first' } });
  expect(summary.text.length).toBe(written);
  summary.handle.resume();
  expect((await summary.end).t).toBe('result');
  expect(summary.text.length).toBeGreaterThan(written);
});

test('a paused summary can be cancelled', async () => {
  const summary = chat(ENDLESS, 800, 'summary');
  await summary.seen((event) => event.t === 'text');
  summary.handle.pause();
  await summary.seen((event) => event.t === 'paused');
  summary.handle.cancel('superseded');
  expect(await summary.end).toEqual({ t: 'stopped' });
});

test('two chats on one model are answered one after the other, the second says that it waits', async () => {
  const first = chat(ENDLESS, 200);
  const second = chat([user('second in line')]);
  await second.seen((event) => event.t === 'paused');
  expect(await second.end).toMatchObject({ t: 'result', value: { text: 'second in line' } });
  expect(first.handle.end).toMatchObject({ t: 'result', finish: 'length' });
});

test('load tells the window it serves and the trained one', async () => {
  expect(await open({ kind: 'load', target }).end).toMatchObject({ value: { served: WINDOW, trained: 8_192 } });
});

test('a file that is no model fails as load', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
  const path = join(folder, 'broken.gguf');
  const whole = await readFile(practiceModelFile());
  for (const bytes of ['not a model', 'GGUF and then nothing', whole.subarray(0, 100_000)]) {
    await writeFile(path, bytes);
    expect(await open({ kind: 'load', target: { ...target, path } }).end).toMatchObject({ t: 'failed', cause: 'load' });
  }
  pool.unload(path);
  await rm(folder, { recursive: true });
});

test('a host that dies in mid-stream ends its streams as exited, and the next one starts a new process', async () => {
  const stream = chat(ENDLESS, 900);
  await stream.seen((event) => event.t === 'text');
  children[0]?.kill('SIGKILL');
  expect(await stream.end).toEqual({ t: 'exited', code: null, killedByUs: false });
  expect(await chat([user('a new one')]).end).toMatchObject({ t: 'result', value: { text: 'a new one' } });
});

test('a kill by the owner is proved by exited', async () => {
  const stream = chat(ENDLESS, 900);
  await stream.seen((event) => event.t === 'text');
  stream.handle.kill();
  expect(await stream.end).toEqual({ t: 'exited', code: null, killedByUs: true });
});
