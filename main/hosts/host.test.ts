import { beforeEach, expect, test } from 'vitest';
import { silentLog } from '../lib/log';
import { Collected } from '../testing/collect';
import { ManualClock } from '../testing/manual-clock';
import { ScriptedChild } from '../testing/scripted-child';
import { Host } from './host';
import { CREDIT, type Job, LIMITS, PROTOCOL, type StreamId } from './protocol';

const JOB: Job = {
  kind: 'chat',
  target: { kind: 'openai', address: 'http://127.0.0.1:1', model: 'm', key: 'secret' },
  messages: [],
  maxTokens: 1,
};
const TOOL = { name: 'a', description: '', schema: {}, fingerprint: 'f' };
const RESULT = { t: 'result', value: { text: 'done' }, finish: 'stop' } as const;

let clock: ManualClock;
let child: ScriptedChild;
let host: Host;
let log: string[];
beforeEach(() => {
  clock = new ManualClock();
  log = [];
  let id = 1;
  host = new Host({
    role: 'chat',
    fork: (role) => {
      child = new ScriptedChild(role);
      return child;
    },
    clock,
    instance: 'test',
    mintId: () => id++ as StreamId,
    platform: 'win32',
    log: { ...silentLog, warn: (event) => void log.push(event) },
    changed: () => {},
  });
});
function running(): Collected {
  const stream = new Collected(host.openStream(JOB));
  child.spawned();
  child.ready();
  return stream;
}

test('nothing but start is posted before the process has shown its version', () => {
  host.openStream(JOB);
  expect(child.got.map(({ t }) => t)).toEqual(['start']);
  child.ready();
  expect(child.got.map(({ t }) => t)).toEqual(['start', 'open']);
});

test('a process of another version gets no job: its streams fail and it is killed', () => {
  const stream = host.openStream(JOB);
  child.spawned();
  child.ready(PROTOCOL + 1);
  expect(stream.end).toMatchObject({ t: 'failed', kind: 'died', cause: 'protocol', name: 'VersionMismatch' });
  expect(child.kills).toBe(1);
  expect(JSON.stringify(child.got)).not.toContain('secret');
});

test('a process that never gets ready is killed', () => {
  const stream = host.openStream(JOB);
  child.spawned();
  clock.advance(20_000);
  expect(child.kills).toBe(1);
  child.exits(null);
  child.closes();
  expect(stream.end).toEqual({ t: 'exited', code: null, killedByUs: true });
});

test.each([
  ['that has not said ready', 'starting'],
  ['whose exit after a kill is not seen', 'killed'],
  ['that was told to leave', 'leaving'],
] as const)('sleep of the machine is no time of a process %s', (_name, when) => {
  const stream = when === 'starting' ? host.openStream(JOB) : running().handle;
  child.spawned();
  if (when === 'killed') stream.kill();
  if (when === 'leaving') host.leave(500);
  const kills = child.kills;
  clock.sleep(3_600_000, 'moves');
  expect(child.kills).toBe(kills);
  expect(host.state).toBe(when === 'starting' ? 'running' : when);
  clock.advance(30_000);
  expect(host.state).toBe(when === 'killed' ? 'written-off' : 'killed');
});

test('a last frame is acknowledged in the same tick, by its number', () => {
  const { handle } = running();
  child.say(1, { t: 'text', text: 'a' });
  child.say(1, RESULT);
  expect(handle.end).toEqual(RESULT);
  expect(child.gotOf('ack')).toMatchObject([{ s: 1, of: 2 }]);
});

test('after its end a stream hears nothing and says nothing; the log says so once', () => {
  const stream = running();
  child.say(1, RESULT);
  child.say(1, { t: 'text', text: 'late' });
  child.say(1, { t: 'stopped', bytesAfterCancel: 0 });
  stream.handle.cancel('user');
  expect(stream.text).toBe('');
  expect(stream.handle.end).toEqual(RESULT);
  expect(child.gotOf('cancel')).toHaveLength(0);
  expect(log).toEqual(['host.frame-refused']);
});

test('credit is given back for what was handled, in a later turn, and no earlier', () => {
  running();
  const spend = (frames: number) => {
    for (let i = 0; i < frames; i++) child.say(1, { t: 'text', text: 'x' });
    clock.turn();
  };
  spend(CREDIT.start - CREDIT.topUpAt - 1);
  expect(child.gotOf('credit')).toHaveLength(0);
  spend(3);
  expect(child.gotOf('credit')).toMatchObject([{ frames: CREDIT.start - CREDIT.topUpAt + 2 }]);
});

test('a gap in the numbers ends the stream as malformed and the process with it', () => {
  const stream = running();
  child.raw({ v: PROTOCOL, s: 1, n: 2, t: 'alive' });
  expect(stream.handle.end).toMatchObject({ t: 'failed', kind: 'malformed', cause: 'protocol' });
  expect(child.kills).toBe(1);
});

test('a repeated frame is dropped', () => {
  const stream = running();
  const frame = { v: PROTOCOL, s: 1, n: 1, t: 'text', text: 'once' };
  child.raw(frame);
  child.raw(frame);
  expect(stream.text).toBe('once');
  expect(stream.handle.end).toBeNull();
});

test.each([
  ['text beyond the credit', () => Array.from({ length: CREDIT.start + 1 }, () => ({ t: 'text', text: 'x' }))],
  ['a frame over its limit', () => [{ t: 'text', text: 'ü'.repeat(LIMITS.frameBytes / 2 + 1) }]],
  ['a flood without text', () => Array.from({ length: 1_001 }, () => ({ t: 'alive' }))],
])('%s is malformed, and the process is killed', (_name, frames) => {
  const { handle } = running();
  let n = 0;
  for (const frame of frames()) child.raw({ v: PROTOCOL, s: 1, n: ++n, ...frame });
  expect(handle.end).toMatchObject({ t: 'failed', kind: 'malformed', cause: 'protocol' });
  expect(child.kills).toBe(1);
});

test('frames of another version or kind are counted once and do nothing', () => {
  const stream = running();
  child.raw({ v: 99, s: 1, n: 1, t: 'text', text: 'x' });
  child.raw({ v: PROTOCOL, s: 1, n: 1, t: 'explode' });
  child.raw('not even a frame');
  expect(stream.events).toHaveLength(0);
  expect(log.length).toBeLessThanOrEqual(2);
  child.say(1, { t: 'text', text: 'ok' });
  expect(stream.text).toBe('ok');
});

test('an exit waits for the port to close: a result that is still on its way wins', () => {
  const { handle } = running();
  child.exits(1);
  expect(handle.end).toBeNull();
  child.say(1, RESULT);
  child.closes();
  expect(handle.end).toEqual(RESULT);
});

test('an exit without a last frame is exited once the port has closed, in either order', () => {
  const { handle } = running();
  child.closes();
  expect(handle.end).toBeNull();
  child.exits(11);
  expect(handle.end).toEqual({ t: 'exited', code: 11, killedByUs: false });
});

test('a port that never closes is waited for 250 ms', () => {
  const { handle } = running();
  child.exits(0);
  clock.advance(249);
  expect(handle.end).toBeNull();
  clock.advance(1);
  expect(handle.end).toEqual({ t: 'exited', code: 0, killedByUs: false });
});

test('after an exit nothing is posted, not even the acknowledgement', () => {
  const { handle } = running();
  child.exits(0);
  const before = child.got.length;
  child.say(1, RESULT);
  handle.cancel('user');
  expect(child.got).toHaveLength(before);
});

test('a kill before there is a process is carried out when it has spawned', () => {
  const stream = host.openStream(JOB);
  stream.kill();
  expect(child.kills).toBe(0);
  child.spawned();
  expect(child.kills).toBe(1);
});

test('a killed process whose exit is not seen for 30 s is written off; its exit after all is proof', () => {
  const { handle } = running();
  handle.kill();
  clock.advance(29_999);
  expect(host.state).toBe('killed');
  clock.advance(1);
  expect(host.state).toBe('written-off');
  expect(child.portClosed).toBe(true);
  expect(handle.end).toBeNull();
  child.closes();
  child.exits(null);
  expect(handle.end).toEqual({ t: 'exited', code: null, killedByUs: true });
  expect(clock.armed).toBe(0);
});

test('a process that outlives its port is killed', () => {
  running();
  child.closes();
  clock.advance(2_000);
  expect(child.kills).toBe(1);
});

test('one that does not leave in time is killed', async () => {
  running();
  child.say(1, RESULT);
  host.leave(500);
  expect(child.gotOf('bye')).toMatchObject([{ graceMs: 500 }]);
  clock.advance(1_000);
  expect(child.kills).toBe(1);
  child.exits(null);
  child.closes();
  await host.exited;
  expect(host.state).toBe('exited');
});

test('two streams of one process are numbered apart', () => {
  const first = running();
  const second = new Collected(host.openStream(JOB));
  child.say(2, { t: 'text', text: 'b' });
  child.say(1, { t: 'text', text: 'a' });
  child.say(2, RESULT);
  expect([first.text, second.text]).toEqual(['a', 'b']);
  expect(first.handle.end).toBeNull();
  expect(second.handle.end).toEqual(RESULT);
});

test.each([
  ['tools', { t: 'tools', title: 't', tools: Array.from({ length: 129 }, () => ({})), leftOut: [] }],
  ['tools', { t: 'tools', title: 't', tools: [{ ...TOOL, description: 'x'.repeat(1_000_001) }], leftOut: [] }],
  ['stderr', { t: 'stderr', lines: Array.from({ length: 41 }, () => 'x') }],
  ['stderr', { t: 'stderr', lines: ['x'.repeat(301)] }],
  ['progress', { t: 'progress', line: 'x'.repeat(201) }],
])('a tool host that sends more than its %s may have ends with the stream that showed it', async (_what, frame) => {
  const stream = running();
  child.say(1, frame as never);
  expect(await stream.end).toMatchObject({ t: 'failed', kind: 'malformed', cause: 'protocol' });
  expect(child.kills).toBe(1);
});

test.each([
  { t: 'tools', title: 7, tools: [], leftOut: [] },
  { t: 'tools', title: 't', tools: {}, leftOut: [] },
  { t: 'tools', title: 't', tools: [{ ...TOOL, schema: null }], leftOut: [] },
  { t: 'stderr', lines: [7] },
  { t: 'progress', line: null },
])('what is no frame of a tool host does nothing: %j', (frame) => {
  const stream = running();
  child.say(1, frame as never);
  expect(stream.events).toEqual([]);
  expect(log).toEqual(['host.frame-refused']);
});
