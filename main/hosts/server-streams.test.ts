import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { Collected } from '../testing/collect';
import { startHttpServer } from '../testing/http-server';
import { inProcessFork } from '../testing/in-process-fork';
import { startOllamaServer } from '../testing/ollama-server';
import { startScriptedServer } from '../testing/scripted-server';
import { HostPool } from './pool';
import type { ChatMessage, Job, Target } from './protocol';
import { isRefusal } from './stream-handle';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function pool() {
  const made = new HostPool({
    fork: inProcessFork(),
    clock: systemClock,
    instance: 'test',
    platform: 'win32',
    log: silentLog,
  });
  closing.push(() => made.close(500));
  return made;
}
async function scripted(options: Parameters<typeof startScriptedServer>[0] = {}) {
  const server = await startScriptedServer(options);
  closing.push(server.close);
  return server;
}
async function ollama(options: Parameters<typeof startOllamaServer>[0] = {}) {
  const server = await startOllamaServer(options);
  closing.push(server.close);
  return server;
}
const openai = (address: string, key: string | null = null, llamaServer = true): Target => ({
  kind: 'openai',
  address,
  model: 'scripted',
  key,
  ...(llamaServer ? { llamaServer: true } : {}),
});
const ollamaAt = (address: string, askWindow = 4_096): Target => ({
  kind: 'ollama',
  address,
  model: 'tiny-echo',
  key: null,
  keepSeconds: 600,
  askWindow,
});
const user = (content: string): ChatMessage => ({ role: 'user', content });
const chat = (target: Target, content = 'one two three four', maxTokens = 200): Job => ({
  kind: 'chat',
  target,
  messages: [user(content)],
  maxTokens,
});
function open(job: Job, in_ = pool()): Collected {
  const opened = in_.open(job);
  if (isRefusal(opened)) throw new Error(opened.refused);
  return new Collected(opened);
}

test('an OpenAI-compatible answer streams with phases and usage', async () => {
  const server = await scripted();
  const stream = open(chat(openai(server.address)));
  expect(await stream.end).toEqual({ t: 'result', value: { text: 'You said: one two three four' }, finish: 'stop' });
  expect(stream.text).toBe('You said: one two three four');
  expect(stream.phases).toEqual(['connecting', 'reading', 'writing']);
  expect(stream.usage).toMatchObject({ prompt: 9, output: 6 });
  expect(server.chats()[0]?.body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 200,
  });
});

test('an Ollama answer streams; the request names its window and forbids the silent cut', async () => {
  const server = await ollama();
  server.behave({ thinking: 'let me see' });
  const stream = open(chat(ollamaAt(server.address, 2_048)));
  expect(await stream.end).toEqual({ t: 'result', value: { text: 'one two three four' }, finish: 'stop' });
  expect(stream.thinking).toBe('let me see');
  expect(stream.phases).toEqual(['connecting', 'loading', 'reading', 'writing']);
  expect(stream.usage).toMatchObject({ prompt: 9, output: 4, decodeRate: 50 });
  expect(server.chats()[0]?.body).toMatchObject({
    shift: false,
    truncate: false,
    options: { num_ctx: 2_048, num_predict: 200 },
  });
});

test('pictures go beside the text, as each kind of server takes them', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'palimpsest-picture-')), 'a');
  const bytes = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
  writeFileSync(path, bytes);
  const base64 = bytes.toString('base64');
  const messages: ChatMessage[] = [{ role: 'user', content: 'What is it?', images: [path] }];
  const server = await scripted({ reply: () => 'a picture' });
  expect(await open({ ...chat(openai(server.address)), messages } as Job).end).toMatchObject({ t: 'result' });
  const url = `data:image/png;base64,${base64}`;
  expect(server.chats()[0]?.body.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ]);
  const native = await ollama();
  expect(await open({ ...chat(ollamaAt(native.address)), messages } as Job).end).toMatchObject({ t: 'result' });
  expect(native.chats()[0]?.body.messages).toEqual([{ role: 'user', content: 'What is it?', images: [base64] }]);
  writeFileSync(path, 'no picture');
  expect(await open({ ...chat(ollamaAt(native.address)), messages } as Job).end).toMatchObject({ t: 'failed' });
  rmSync(dirname(path), { recursive: true });
});

test('aimock, a maintained mock of the API, is understood', async () => {
  const mock = new LLMock({ port: 0 });
  mock.onMessage('hello', { content: 'Hi there, from a mock!' });
  await mock.start();
  closing.push(() => mock.stop());
  const stream = open(chat(openai(`${mock.url}/v1`, 'mock', false), 'hello'));
  expect(await stream.end).toMatchObject({ t: 'result', value: { text: 'Hi there, from a mock!' }, finish: 'stop' });
  expect(stream.usage?.t).toBe('usage');
});

test('a summary is asked for without randomness', async () => {
  const server = await scripted();
  await open({ kind: 'summary', target: openai(server.address), messages: [user('hi')], maxTokens: 50 }).end;
  expect(server.chats()[0]?.body).toMatchObject({ temperature: 0, max_tokens: 50 });
});

test.each(['openai', 'ollama'] as const)('a cancel reaches the socket of %s: nothing more is read', async (kind) => {
  const server = kind === 'openai' ? await scripted({ tokensPerSecond: 200 }) : await ollama({ tokensPerSecond: 200 });
  server.behave({ text: 'word '.repeat(2_000) });
  const target = kind === 'openai' ? openai(server.address) : ollamaAt(server.address);
  const stream = open(chat(target, 'go on', 3_000));
  await stream.seen((event) => event.t === 'text');
  stream.handle.cancel('user');
  expect(await stream.end).toEqual({ t: 'stopped' });
  const [entry] = server.chats();
  await entry?.over;
  expect(entry).toMatchObject({ aborted: true, bytesAfterAbort: 0, ended: false });
});

test('a cancel before the header ends the request at once', async () => {
  const server = await scripted();
  server.behave({ holdHeader: true });
  const stream = open(chat(openai(server.address)));
  const entry = await server.asked('/chat/completions');
  stream.handle.cancel('user');
  expect(await stream.end).toEqual({ t: 'stopped' });
  await entry.over;
  expect(entry.aborted).toBe(true);
});

test.each(['openai', 'ollama', 'ollama, nested'] as const)(
  '%s: an overflow comes with its class, before any text',
  async (kind) => {
    const server =
      kind === 'openai' ? await scripted({ window: 512 }) : await ollama({ nestedOverflow: kind !== 'ollama' });
    const target = kind === 'openai' ? openai(server.address) : ollamaAt(server.address, 512);
    const end = await open(chat(target, 'many words '.repeat(400))).end;
    expect(end).toMatchObject({ t: 'failed', kind: 'refused', cause: 'overflow', fields: { status: 400 } });
    if (kind !== 'ollama') expect(end).toMatchObject({ fields: { windowTokens: 512, needTokens: 1_104 } });
  },
);

test.each([
  [
    'a server error',
    { error: { status: 500, body: '{"error":"boom"}' } },
    { kind: 'died', cause: 'http', message: 'boom' },
  ],
  [
    'a rate limit',
    { error: { status: 429, body: '{"error":{"message":"slow down"}}', headers: { 'retry-after': '7' } } },
    { kind: 'refused', cause: 'http', fields: { status: 429, retryAfterMs: 7_000 } },
  ],
  ['an answer that dies', { dieAfter: 2 }, { kind: 'died', cause: 'broke-off' }],
  [
    'an error in mid-stream',
    { errorAfter: { pieces: 2, body: '{"error":{"message":"boom"}}' } },
    { kind: 'died', cause: 'server-error' },
  ],
  ['an empty answer', { text: '' }, { kind: 'empty' }],
  [
    'nothing but reasoning up to the limit',
    { text: 'x', thinking: 'hm', finishAfter: { pieces: 0, reason: 'length' } },
    { kind: 'cut' },
  ],
])('%s fails as what it is', async (_name, behavior, failure) => {
  const server = await scripted();
  server.behave(behavior);
  expect(await open(chat(openai(server.address))).end).toMatchObject({ t: 'failed', ...failure });
});

test('an error line in mid-stream of Ollama fails with its text', async () => {
  const server = await ollama();
  server.behave({ errorAfter: { pieces: 2, body: 'an error was encountered while running the model' } });
  const stream = open(chat(ollamaAt(server.address)));
  expect(await stream.end).toMatchObject({
    t: 'failed',
    cause: 'server-error',
    message: expect.stringContaining('running the model'),
  });
  expect(stream.text).toBe('one two');
});

test('no server at all is told apart from a bad answer', async () => {
  const server = await scripted();
  await server.close();
  expect(await open(chat(openai(server.address))).end).toMatchObject({
    t: 'failed',
    kind: 'died',
    cause: 'unreachable',
  });
});

test('keep-alives are reported as such, at most once a second', async () => {
  const server = await scripted();
  server.behave({ stallAfter: 1, keepAliveMs: 5 });
  const stream = open(chat(openai(server.address)));
  await stream.seen((event) => event.t === 'alive');
  server.release();
  await stream.end;
  expect(stream.events.filter((event) => event.t === 'alive').length).toBeLessThanOrEqual(2);
});

test('a redirect to another host is refused, and the key stays here', async () => {
  const other = await startHttpServer((_entry, response) => void response.end());
  closing.push(other.close);
  const first = await startHttpServer((_entry, response) => {
    response.writeHead(307, { location: `${other.url}/v1/chat/completions` });
    response.end();
  });
  closing.push(first.close);
  expect(await open(chat(openai(first.url, 'secret'))).end).toMatchObject({
    t: 'failed',
    kind: 'refused',
    cause: 'http',
  });
  expect(first.journal[0]?.headers.authorization).toBe('Bearer secret');
  expect(other.journal).toHaveLength(0);
});

test('a key does not go over plain HTTP to another machine', async () => {
  const end = await open(chat(openai('http://192.0.2.1:9', 'secret'))).end;
  expect(end).toMatchObject({ t: 'failed', kind: 'refused', message: 'insecure-address' });
});

test('a server that wants another name for the output limit gets it', async () => {
  const server = await startHttpServer((entry, response) => {
    if ('max_tokens' in entry.body) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(`{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}`);
      return;
    }
    response.end('data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  });
  closing.push(server.close);
  expect(await open(chat(openai(server.url))).end).toMatchObject({ t: 'result', value: { text: 'ok' } });
  expect(server.journal[1]?.body).toMatchObject({ max_completion_tokens: 200 });
});

test('a line without end is cut off at its limit', async () => {
  const server = await startHttpServer((_entry, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = () => {
      while (response.writable && response.write('x'.repeat(60_000)));
    };
    response.on('drain', more);
    more();
  });
  closing.push(server.close);
  expect(await open(chat(openai(server.url))).end).toMatchObject({ t: 'failed', kind: 'malformed', cause: 'protocol' });
});

test('llama.cpp counts exactly, by its template and tokenizer', async () => {
  const server = await scripted({ countTokens: (text) => text.length });
  const end = await open({ kind: 'count', target: openai(server.address), messages: [user('four')] }).end;
  expect(end).toMatchObject({ t: 'result', value: { tokens: '<|user|>four<|end|>'.length } });
});

test('Ollama loads with the window asked for and tells what it gives; unload frees it', async () => {
  const server = await ollama({ most: 2_048 });
  const target = ollamaAt(server.address, 8_192);
  const hosts = pool();
  expect(await open({ kind: 'load', target }, hosts).end).toMatchObject({ value: { served: 2_048 } });
  expect(await open({ kind: 'unload', target }, hosts).end).toMatchObject({ t: 'result' });
  expect(server.journal.at(-1)?.body).toMatchObject({ keep_alive: 0 });
});

test('sixty-four thousand words arrive whole, in frames that main has granted', async () => {
  const server = await scripted({ window: 200_000 });
  const text = Array.from({ length: 64_000 }, (_, i) => `w${i}`).join(' ');
  server.behave({ text });
  const stream = open(chat(openai(server.address), 'all of it', 100_000));
  expect((await stream.end).t).toBe('result');
  expect(stream.text).toBe(text);
}, 60_000); // much work for a machine that is busy with other tests
