import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { Collected } from '../testing/collect';
import { buildHostEntry, nodeFork } from '../testing/node-fork';
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server';
import { HostPool } from './pool';
import { type Job, LIMITS, PROCESS, PROTOCOL, type ToMain } from './protocol';
import { isRefusal } from './stream-handle';

// Real processes start slowly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let entry: Awaited<ReturnType<typeof buildHostEntry>>;
let server: ScriptedServer;
beforeAll(async () => {
  entry = await buildHostEntry();
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
  await entry.remove();
});

const job = (): Job => ({
  kind: 'chat',
  target: { kind: 'openai', address: server.address, model: 'scripted', key: null },
  messages: [{ role: 'user', content: 'hello' }],
  maxTokens: 50,
});

/** A real host process, spoken to frame by frame. */
async function start(version = PROTOCOL) {
  const child = fork(entry.file, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const seen: ToMain[] = [];
  const waiting: { t: ToMain['t']; done: (frame: ToMain) => void }[] = [];
  child.on('message', (raw) => {
    const frame = raw as ToMain;
    seen.push(frame);
    for (const wait of waiting.splice(0)) {
      if (wait.t === frame.t) wait.done(frame);
      else waiting.push(wait);
    }
  });
  const next = (t: ToMain['t']) => new Promise<ToMain>((done) => waiting.push({ t, done }));
  const post = (frame: object) => child.send({ v: version, ...frame });
  const ready = next('ready');
  post({ s: PROCESS, n: 1, t: 'start', role: 'chat', instance: 'test', limits: LIMITS });
  return { child, seen, next, post, ready: await ready };
}
const gone = (child: ChildProcess) =>
  child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;

test('a process whose parent is gone ends by itself, in mid-stream too', async () => {
  server.behave({ stallAfter: 1 });
  const { child, post, next } = await start();
  const text = next('text');
  post({ s: 1, n: 1, t: 'open', job: job(), credit: 32 });
  await text;
  child.disconnect();
  await gone(child);
  server.behave({});
});

test('a last frame is kept until it is acknowledged, and given again to a cancel that comes too late', async () => {
  const { child, post, next, seen } = await start();
  const first = next('result');
  post({ s: 1, n: 1, t: 'open', job: job(), credit: 32 });
  const result = await first;
  post({ s: PROCESS, n: 2, t: 'bye', graceMs: 60_000 });
  const again = next('result');
  post({ s: 1, n: 2, t: 'cancel', why: 'user' });
  expect(await again).toEqual(result);
  expect(child.exitCode).toBeNull();
  post({ s: 1, n: 3, t: 'ack', of: result.n });
  await gone(child);
  expect(child.exitCode).toBe(0);
  expect(seen.some(({ t }) => t === 'stopped')).toBe(false);
});

test('without credit no text leaves, and the result waits behind it', async () => {
  const { child, post, next, seen } = await start();
  const usage = next('usage');
  post({ s: 1, n: 1, t: 'open', job: job(), credit: 0 });
  await usage;
  expect(seen.some(({ t }) => t === 'text' || t === 'result')).toBe(false);
  const result = next('result');
  post({ s: 1, n: 2, t: 'credit', frames: 8 });
  await result;
  const texts = seen.flatMap((frame) => (frame.t === 'text' ? [frame.text] : []));
  expect(texts.join('')).toBe('You said: hello');
  child.kill();
  await gone(child);
});

test('a cancel reaches the socket of a server that writes without end: no byte more is read', async () => {
  server.behave({ text: `${'long'.repeat(4_000)} `.repeat(5_000) });
  server.setPace(1_000);
  const { child, post, next, seen } = await start();
  const asked = server.journal.length;
  const text = next('text');
  post({ s: 1, n: 1, t: 'open', job: { ...job(), maxTokens: 50_000 }, credit: 32 });
  await text;
  const stopped = next('stopped');
  post({ s: 1, n: 2, t: 'cancel', why: 'user' });
  const last = await stopped;
  expect(last).toMatchObject({ bytesAfterCancel: 0 });
  const entry = await server.asked('/chat/completions', asked);
  await entry.over;
  expect(entry.aborted).toBe(true);
  expect(seen.at(-1)).toBe(last);
  expect(entry.bytesAfterAbort).toBe(0);
  child.kill();
  await gone(child);
  server.behave({});
  server.setPace(0);
});

test('a start of another version is answered with the own one and nothing else', async () => {
  const { child, ready, post, seen } = await start(PROTOCOL + 1);
  expect(ready).toMatchObject({ v: PROTOCOL, t: 'ready' });
  post({ s: 1, n: 1, t: 'open', job: job(), credit: 32 });
  child.send({ v: PROTOCOL, s: PROCESS, n: 2, t: 'bye', graceMs: 0 });
  await gone(child);
  expect(seen.map(({ t }) => t)).toEqual(['ready']);
});

test('a pool of real processes: chat, kill in mid-stream, a new one after it, quit without leftovers', async () => {
  const children: ChildProcess[] = [];
  const pool = new HostPool({
    fork: nodeFork(entry.file, (child) => children.push(child)),
    clock: systemClock,
    instance: 'test',
    platform: process.platform,
    log: silentLog,
  });
  const open = () => {
    const opened = pool.open(job());
    if (isRefusal(opened)) throw new Error(opened.refused);
    return new Collected(opened);
  };
  server.behave({ stallAfter: 1 });
  const stalled = open();
  await stalled.seen((event) => event.t === 'text');
  stalled.handle.kill();
  expect(await stalled.end).toEqual({ t: 'exited', code: null, killedByUs: true });
  server.behave({});
  expect(await open().end).toMatchObject({ t: 'result', value: { text: 'You said: hello' } });
  await pool.close(2_000);
  expect(pool.census()).toEqual([]);
  expect(children.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual(['SIGKILL', 0]);
});
