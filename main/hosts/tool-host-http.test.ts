import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { Collected } from '../testing/collect';
import { type HttpDeed, startMcpHttpServer } from '../testing/mcp-http-server';
import { buildHostEntry, nodeFork } from '../testing/node-fork';
import { HostPool } from './pool';
import { isRefusal } from './stream-handle';
import type { HostedTool, ToolJob } from './tool-protocol';

// Real processes start slowly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TOKEN = 'the-right-token';
let entry: Awaited<ReturnType<typeof buildHostEntry>>;
let pool: HostPool;
let served: Awaited<ReturnType<typeof startMcpHttpServer>>;
let opened: Collected[];
beforeAll(async () => {
  entry = await buildHostEntry();
  const fork = nodeFork(entry.file);
  pool = new HostPool({ fork, clock: systemClock, instance: 'test', platform: process.platform, log: silentLog });
});
afterAll(async () => {
  await pool.close(2_000);
  await entry.remove();
});
beforeEach(async () => {
  opened = [];
  served = await startMcpHttpServer('answers in JSON');
});
afterEach(async () => {
  for (const { handle } of opened) handle.cancel('quit');
  await Promise.all(opened.map(({ end }) => end));
  await served.close();
});

function open(job: ToolJob): Collected {
  const stream = pool.tool(job);
  if (isRefusal(stream)) throw new Error(stream.refused);
  const collected = new Collected(stream);
  opened.push(collected);
  return collected;
}
const server = (token: string | null = TOKEN, url = `${served.url}/mcp`) =>
  open({ kind: 'tool-server', server: 'http', launch: { kind: 'http', url, token }, appVersion: '1', startMs: 30_000 });
async function ready() {
  const running = server();
  await running.seen(({ t }) => t === 'tools' || t === 'settled');
  const list = running.events.findLast((event) => event.t === 'tools');
  if (list?.t !== 'tools') throw new Error(JSON.stringify(await running.end));
  return { running, tool: list.tools[0] as HostedTool };
}
const call = ({ name, fingerprint }: HostedTool) =>
  open({ kind: 'tool-call', server: 'http', tool: name, fingerprint, args: {} });

test.each(['answers in JSON', 'answers in a stream'] as const)(
  'a server that %s is used with its token',
  async (deed) => {
    served.state.deed = deed;
    const { running, tool } = await ready();
    const called = call(tool);
    expect(await called.end).toMatchObject({ t: 'result' });
    expect(called.text).toBe('over HTTP');
    running.handle.cancel('user');
    expect(await running.end).toEqual({ t: 'stopped' });
  },
);

test('a wrong token, a page, and an address where nothing answers are told as they are', async () => {
  expect(await server('another').end).toMatchObject({
    t: 'failed',
    name: 'tool-server-refused',
    fields: { status: 401 },
  });
  served.state.deed = 'is no tool server';
  expect(await server().end).toMatchObject({ t: 'failed', name: 'tool-server-unknown' });
  const closed = await startMcpHttpServer('answers in JSON');
  await closed.close();
  expect(await server(TOKEN, closed.url).end).toMatchObject({
    t: 'failed',
    name: 'tool-server-lost',
    fields: { reason: 'ECONNREFUSED' },
  });
});

test('a server that says the token again, at its start or on a call, is told without it', async () => {
  served.state.token = 'another';
  const refused = await server('sk-live-0123456789').end;
  expect(refused).toMatchObject({ name: 'tool-server-refused', fields: { status: 401 } });
  expect(JSON.stringify(refused)).toContain('Bearer •••');
  expect(JSON.stringify(refused)).not.toContain('sk-live');
  served.state.token = TOKEN;
  const { running, tool } = await ready();
  served.state.deed = 'forbids the call';
  for (const end of [await call(tool).end, await running.end]) {
    expect(end).toMatchObject({ name: 'tool-server-refused', fields: { status: 403 } });
    expect(JSON.stringify(end)).not.toMatch(/the-/);
  }
});

test('a password in an address goes nowhere and is not told', async () => {
  const end = await server(null, `${served.url.replace('//', '//me:hunter22@')}/mcp`).end;
  expect(end).toMatchObject({ t: 'failed', name: 'password-in-address' });
  expect(JSON.stringify(end)).not.toContain('hunter22');
  expect(served.journal).toEqual([]);
});

test('the token goes over TLS or to this machine, and never after a redirect to another', async () => {
  expect(await server(TOKEN, 'http://192.0.2.1/mcp').end).toMatchObject({ t: 'failed', name: 'insecure-address' });
  const other = await startMcpHttpServer('answers in JSON');
  await served.close();
  served = await startMcpHttpServer('leads elsewhere', other.url);
  expect(await server().end).toMatchObject({ t: 'failed', name: 'tool-server-refused', fields: { status: 307 } });
  expect(other.journal).toEqual([]);
  await other.close();
});

const lost: readonly (readonly [HttpDeed, string])[] = [
  ['breaks off in mid-call', 'tool-server-lost'],
  ['closes in mid-call', 'tool-server-lost'],
  ['answers with 5 MB', 'tool-server-flooded'],
  ['forgets the session', 'tool-server-refused'],
];
test.each(lost)('a server that %s fails the call at once, and is begun with anew', async (deed, name) => {
  const { running, tool } = await ready();
  served.state.deed = deed;
  expect(await call(tool).end).toMatchObject({ t: 'failed', name });
  expect(await running.end).toMatchObject({ t: 'failed', name });
  served.state.deed = 'answers in JSON';
  const again = await ready();
  const called = call(again.tool);
  await called.end;
  expect(called.text).toBe('over HTTP');
});
