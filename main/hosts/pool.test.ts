import { beforeEach, expect, test } from 'vitest';
import { silentLog } from '../lib/log';
import { ManualClock } from '../testing/manual-clock';
import { type ScriptedChild, scriptedFork } from '../testing/scripted-child';
import { HostPool } from './pool';
import type { Job, Target } from './protocol';
import { type AttemptSlot, isRefusal, type OpenRefusal, type StreamHandle } from './stream-handle';

const server: Target = { kind: 'openai', address: 'http://127.0.0.1:1', model: 'm', key: null };
const gguf = (path: string, askWindow = 512): Target => ({ kind: 'embedded', path, askWindow, threads: 1 });
const job = (kind: 'chat' | 'summary', target: Target = server): Job => ({ kind, target, messages: [], maxTokens: 1 });

let clock: ManualClock;
let children: ScriptedChild[];
let pool: HostPool;
beforeEach(() => {
  clock = new ManualClock();
  children = [];
  pool = new HostPool({ fork: scriptedFork(children), clock, instance: 't', platform: 'win32', log: silentLog });
});

function got<T extends StreamHandle | AttemptSlot>(opened: T | OpenRefusal): T {
  if (isRefusal(opened as StreamHandle | OpenRefusal)) throw new Error((opened as OpenRefusal).refused);
  return opened as T;
}
function start(child: ScriptedChild | undefined): ScriptedChild {
  if (!child) throw new Error('no process was started');
  child.spawned();
  child.ready();
  return child;
}
const finish = (child: ScriptedChild, stream: StreamHandle) =>
  child.say(stream.id, { t: 'result', value: { text: '' }, finish: 'stop' });
function die(child: ScriptedChild): void {
  child.exits(null);
  child.closes();
}
const roles = () => children.map(({ role }) => role);

test('no process starts before it is needed, not even for a reserved place', () => {
  const slot = got(pool.reserve(server));
  expect(children).toHaveLength(0);
  got(slot.open(job('summary')));
  expect(roles()).toEqual(['summarizer']);
});

test('chats share one process, each GGUF file has its own', () => {
  for (const target of [server, server, gguf('a'), gguf('a'), gguf('b')]) got(pool.open(job('chat', target)));
  got(got(pool.reserve(gguf('b'))).open(job('summary', gguf('b'))));
  expect(roles()).toEqual(['chat', 'embedded', 'embedded']);
});

test('two attempts have a process each; a third is told when a place is free', () => {
  let freed = 0;
  pool.onSlotFree(() => freed++);
  const [one, two] = [got(pool.reserve(server)), got(pool.reserve(server))];
  const first = got(one.open(job('summary')));
  got(two.open(job('summary')));
  expect(roles()).toEqual(['summarizer', 'summarizer']);
  expect(pool.reserve(server)).toEqual({ refused: 'no-slot' });
  finish(start(children[0]), first);
  expect(pool.reserve(server)).toEqual({ refused: 'no-slot' });
  one.release();
  expect(freed).toBe(1);
  got(pool.reserve(server));
});

test('the chunks of one attempt run in one process, and the next attempt takes it over', () => {
  const slot = got(pool.reserve(server));
  const first = got(slot.open(job('summary')));
  const child = start(children[0]);
  finish(child, first);
  const second = got(slot.open(job('summary')));
  finish(child, second);
  slot.release();
  got(got(pool.reserve(server)).open(job('summary')));
  expect(children).toHaveLength(1);
});

test('an idle process of one attempt is not given to another', () => {
  const one = got(pool.reserve(server));
  const chunk = got(one.open(job('summary')));
  finish(start(children[0]), chunk);
  const two = got(pool.reserve(server));
  got(two.open(job('summary')));
  expect(children).toHaveLength(2);
});

test('a killed summarizer keeps the place until its exit is seen, also after its attempt let go', () => {
  let freed = 0;
  const slots = [got(pool.reserve(server)), got(pool.reserve(server))];
  const stream = got((slots[0] as AttemptSlot).open(job('summary')));
  start(children[0]);
  stream.kill();
  pool.onSlotFree(() => freed++);
  slots[0]?.release();
  expect(pool.reserve(server)).toEqual({ refused: 'no-slot' });
  expect(freed).toBe(0);
  die(children[0] as ScriptedChild);
  expect(freed).toBe(1);
  got(pool.reserve(server));
});

test('while a process is written off its model is barred; its exit lifts that', () => {
  const slot = got(pool.reserve(server));
  const stream = got(slot.open(job('summary')));
  start(children[0]);
  stream.kill();
  clock.advance(30_000);
  slot.release();
  expect(pool.open(job('chat'))).toEqual({ refused: 'barred' });
  expect(pool.reserve(server)).toEqual({ refused: 'barred' });
  got(pool.reserve({ ...server, model: 'other' }));
  die(children[0] as ScriptedChild);
  got(pool.open(job('chat')));
});

test('that a model which was barred may be asked again is told, as a free place is', () => {
  const stream = got(pool.open(job('chat', gguf('a'))));
  start(children[0]);
  stream.kill();
  clock.advance(30_000);
  expect(pool.reserve(gguf('a'))).toEqual({ refused: 'barred' });
  expect([pool.hasPlace(gguf('a')), pool.hasPlace(gguf('b'))]).toEqual([false, true]);
  let told = 0;
  pool.onSlotFree(() => told++);
  die(children[0] as ScriptedChild);
  expect(told).toBe(1);
  expect(pool.hasPlace(gguf('a'))).toBe(true);
});

test('a chat process ends after 60 s without work, one with a model after ten minutes', () => {
  const chat = got(pool.open(job('chat')));
  const local = got(pool.open(job('chat', gguf('a'))));
  const [server, embedded] = children.map(start) as [ScriptedChild, ScriptedChild];
  finish(server, chat);
  finish(embedded, local);
  clock.advance(60_000);
  expect(server.gotOf('bye')).toHaveLength(1);
  expect(embedded.gotOf('bye')).toHaveLength(0);
  clock.advance(540_000);
  expect(embedded.gotOf('bye')).toHaveLength(1);
});

test('new work takes an idle process back from its end', () => {
  const first = got(pool.open(job('chat')));
  const child = start(children[0]);
  finish(child, first);
  clock.advance(59_000);
  const second = got(pool.open(job('chat')));
  clock.advance(2_000);
  expect(child.gotOf('bye')).toHaveLength(0);
  finish(child, second);
  expect(children).toHaveLength(1);
});

test('of two idle summarizers one is kept', () => {
  const slots = [got(pool.reserve(server)), got(pool.reserve(server))];
  const streams = slots.map((slot) => got(slot.open(job('summary'))));
  children.map(start);
  streams.forEach((stream, i) => {
    finish(children[i] as ScriptedChild, stream);
  });
  for (const slot of slots) slot.release();
  clock.advance(2_000);
  expect(children.flatMap((child) => child.gotOf('bye'))).toHaveLength(1);
  clock.advance(58_000);
  expect(children.flatMap((child) => child.gotOf('bye'))).toHaveLength(2);
});

test('work that comes while a process is leaving gets a new one', () => {
  const first = got(pool.open(job('chat')));
  finish(start(children[0]), first);
  clock.advance(60_000);
  got(pool.open(job('chat')));
  expect(children).toHaveLength(2);
});

test('unload ends the process of that file alone, at once where it is busy', () => {
  got(pool.open(job('chat', gguf('a'))));
  const idle = got(pool.open(job('chat', gguf('b'))));
  const [a, b] = children.map(start) as [ScriptedChild, ScriptedChild];
  finish(b, idle);
  pool.unload('b');
  pool.unload('nobody');
  expect([a.kills, b.kills, b.gotOf('bye').length]).toEqual([0, 0, 1]);
  pool.unload('a');
  expect(a.kills).toBe(1);
});

test('quit: politely first, by force after the grace, nothing new in between', async () => {
  got(pool.open(job('chat')));
  const child = start(children[0]);
  const closed = pool.close(500);
  expect(pool.open(job('chat'))).toEqual({ refused: 'quitting' });
  expect(pool.reserve(server)).toEqual({ refused: 'quitting' });
  expect(child.kills).toBe(0);
  clock.advance(500);
  expect(child.kills).toBe(1);
  die(child);
  await closed;
  expect(pool.census()).toEqual([]);
});

test('quit does not wait for ever for a process that cannot be killed', async () => {
  got(pool.open(job('chat')));
  start(children[0]);
  const closed = pool.close(500);
  clock.advance(2_500);
  await closed;
});

test('an unload is over when the file is nobody’s any more', async () => {
  const idle = got(pool.open(job('chat', gguf('b'))));
  const child = start(children[0]);
  finish(child, idle);
  let over = false;
  const unloading = pool.unload('b').then(() => {
    over = true;
  });
  await Promise.resolve();
  expect(over).toBe(false);
  die(child);
  await unloading;
  await pool.unload('b');
});

test('a model is in use while a stream runs on it, and only then', () => {
  const stream = got(pool.open(job('chat', gguf('a'))));
  expect([pool.inUse('a'), pool.inUse('b')]).toEqual([true, false]);
  finish(start(children[0]), stream);
  expect(pool.inUse('a')).toBe(false);
});

test('a file is loading until a stream has got past that, and not in memory after a load that failed', () => {
  const seen: string[] = [];
  pool.changed.on(() => seen.push(pool.memoryOf('a')));
  const first = got(pool.open(job('chat', gguf('a'))));
  const child = start(children[0]);
  child.say(first.id, { t: 'phase', phase: 'loading', done: 50, of: 100 });
  child.say(first.id, { t: 'phase', phase: 'reading' });
  finish(child, first);
  const failed = { kind: 'died', cause: 'load', name: 'Error', message: 'no memory', fields: {} } as const;
  const summary = got(pool.open(job('summary', gguf('a')))); // a further context that finds no room
  child.say(summary.id, { t: 'failed', ...failed });
  const larger = got(pool.open(job('chat', gguf('a', 1_024))));
  child.say(larger.id, { t: 'phase', phase: 'loading', done: 0, of: 100 });
  child.say(larger.id, { t: 'failed', ...failed });
  expect(seen).toEqual(['loading', 'loaded', 'loading', 'not-loaded']);
  clock.advance(0); // a process with nothing in it is not kept
  expect(child.gotOf('bye')).toHaveLength(1);
});

const keeping = (keepModelMs: () => number | null) =>
  new HostPool({ fork: scriptedFork(children), clock, instance: 't', platform: 'win32', log: silentLog, keepModelMs });

test('a model is kept as long as the user says, and a change holds for what is idle by then', () => {
  let keepMs: number | null = 300_000;
  pool = keeping(() => keepMs);
  const stream = got(pool.open(job('chat', gguf('a'))));
  const child = start(children[0]);
  finish(child, stream);
  clock.advance(200_000);
  keepMs = null;
  pool.keepChanged();
  clock.advance(10_000_000);
  expect(child.gotOf('bye')).toHaveLength(0);
  keepMs = 300_000;
  pool.keepChanged();
  clock.advance(299_999);
  expect(child.gotOf('bye')).toHaveLength(0);
  clock.advance(1);
  expect(child.gotOf('bye')).toHaveLength(1);
});

test('a server that keeps a model until the app ends is told to let go of it then, once', () => {
  const ollama: Target = {
    kind: 'ollama',
    address: 'http://127.0.0.1:1',
    model: 'm',
    key: null,
    askWindow: 512,
    keepSeconds: -1,
  };
  for (const target of [ollama, ollama, { ...ollama, model: 'n', keepSeconds: 600 }])
    got(pool.open(job('chat', target)));
  const child = start(children[0]);
  void pool.close(0);
  const jobs = child.gotOf('open').map((frame) => (frame as { job: Job }).job);
  expect(jobs.filter(({ kind }) => kind === 'unload').map(({ target }) => target)).toEqual([ollama]);
});

test('downloads share a process that runs nothing else', () => {
  const download = {
    kind: 'download',
    url: 'https://hub.example/f',
    path: '/f',
    bytes: 1,
    sha256: '',
    record: {},
    patienceMs: 1,
    proxy: null,
  } as const;
  got(pool.download(download));
  got(pool.download(download));
  got(pool.open(job('chat')));
  expect(roles()).toEqual(['downloads', 'chat']);
});

test('files are read in a process of their own: one that hangs and is killed takes no tool server along', () => {
  const launch = { kind: 'http', url: 'http://127.0.0.1:1/mcp', token: null } as const;
  const serving = got(pool.tool({ kind: 'tool-server', server: 's', launch, appVersion: '1', startMs: 1 }));
  const grant = { folders: [], closed: [] } as const;
  const read = { kind: 'read-file', ...grant, path: 'a/b', from: 1, lines: 1 } as const;
  const reading = got(pool.tool(read));
  got(pool.tool({ kind: 'search-folder', ...grant, under: null, query: 'q' }));
  expect(roles()).toEqual(['tools', 'files']);
  start(children[0]);
  start(children[1]);
  reading.kill();
  expect(children.map(({ kills }) => kills)).toEqual([0, 1]);
  got(pool.tool(read));
  expect(roles()).toEqual(['tools', 'files', 'files']);
  expect(serving.end).toBeNull();
});

test('the process that reads files ends after a minute without work', () => {
  const grant = { folders: [], closed: [] } as const;
  const reading = got(pool.tool({ kind: 'read-file', ...grant, path: 'a/b', from: 1, lines: 1 }));
  const child = start(children[0]);
  child.say(reading.id, { t: 'result', value: { failed: false }, finish: 'stop' });
  clock.advance(59_999);
  expect(child.gotOf('bye')).toHaveLength(0);
  clock.advance(1);
  expect(child.gotOf('bye')).toHaveLength(1);
});
