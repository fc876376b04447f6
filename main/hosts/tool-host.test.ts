import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { Collected } from '../testing/collect';
import type { ServerDeed } from '../testing/mcp-server';
import { buildHostEntry, nodeFork } from '../testing/node-fork';
import { HostPool } from './pool';
import { isRefusal } from './stream-handle';
import type { HostedTool, ServerJob, ToolJob, ToolsFrame } from './tool-protocol';

// Real processes start slowly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Entry = Awaited<ReturnType<typeof buildHostEntry>>;
let entry: Entry;
let scripted: Entry;
let pool: HostPool;
const hosts: ChildProcess[] = [];
beforeAll(async () => {
  [entry, scripted] = await Promise.all([buildHostEntry(), buildHostEntry('main/testing/mcp-server.ts')]);
  pool = newPool();
});
afterAll(async () => {
  await pool.close(2_000);
  await entry.remove();
  await scripted.remove();
});

let opened: Collected[];
beforeEach(() => {
  opened = [];
});
/** Nothing of a test runs on into the next. */
afterEach(async () => {
  for (const { handle } of opened) handle.cancel('quit');
  await Promise.all(opened.map(({ end }) => end));
});

function newPool(): HostPool {
  const fork = nodeFork(entry.file, (child) => hosts.push(child));
  return new HostPool({ fork, clock: systemClock, instance: 'test', platform: process.platform, log: silentLog });
}
function open(job: ToolJob): Collected {
  const stream = pool.tool(job);
  if (isRefusal(stream)) throw new Error(stream.refused);
  const collected = new Collected(stream);
  opened.push(collected);
  return collected;
}

function server(deed: ServerDeed, more: Partial<ServerJob> = {}, variables: Record<string, string> = {}) {
  const launch = { kind: 'stdio', command: process.execPath, args: [scripted.file, deed], variables } as const;
  return open({ kind: 'tool-server', server: deed, launch, appVersion: '1', startMs: 30_000, ...more });
}
async function listOf(running: Collected): Promise<ToolsFrame> {
  await running.seen(({ t }) => t === 'tools' || t === 'settled');
  const list = running.events.findLast((event) => event.t === 'tools');
  if (list?.t !== 'tools') throw new Error(JSON.stringify(await running.end));
  return list;
}
async function ready(deed: ServerDeed, variables: Record<string, string> = {}) {
  const running = server(deed, {}, variables);
  const { tools } = await listOf(running);
  return { running, tools, tool: (name = 'probe') => tools.find((one) => one.name === name) as HostedTool };
}
const call = (deed: ServerDeed, { name, fingerprint }: HostedTool, args: Record<string, unknown> = { text: 'hello' }) =>
  open({ kind: 'tool-call', server: deed, tool: name, fingerprint, args });
const stderrOf = (running: Collected) => running.events.findLast((event) => event.t === 'stderr')?.lines ?? [];
const alive = (pid: number) => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe('a tool server', () => {
  test('is started, lists its tools in one order, answers a call, and ends with its stream', async () => {
    const { running, tools, tool } = await ready('is sane');
    expect(tools.map(({ name }) => name)).toEqual(['env', 'error', 'fail', 'probe', 'progress']);
    expect((await listOf(running)).title).toBe('scripted 7');
    const called = call('is sane', tool());
    expect(await called.end).toMatchObject({ t: 'result' });
    expect(called.text).toBe('probe: hello');
    running.handle.cancel('user');
    expect(await running.end).toEqual({ t: 'stopped' });
    expect(stderrOf(running)).toContain('scripted server starts');
  });

  test('gets the variables that were entered for it over a cleaned environment, and no others; its output never shows them', async () => {
    vi.stubEnv('OTHER_API_KEY', 'of-somebody-else');
    const { running, tool } = await ready('is sane', { SCRIPTED_TOKEN: 'entered-for-it' });
    const called = call('is sane', tool('env'), {});
    await called.end;
    const seen = JSON.parse(called.text) as Record<string, string>;
    const usual = ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];
    expect(Object.keys(seen).filter((name) => !usual.includes(name))).toEqual(['SCRIPTED_TOKEN']);
    expect(seen.SCRIPTED_TOKEN).toBe('•••');
    expect(seen.PATH).toBe(process.env.PATH);
    running.handle.cancel('user');
    await running.end;
    vi.unstubAllEnvs();
  });

  test('tells of progress, of a failure of the tool, and of arguments that it refuses', async () => {
    const { tool } = await ready('is sane');
    const counted = call('is sane', tool('progress'));
    await counted.end;
    expect(counted.events).toContainEqual({ t: 'progress', line: 'row 1' });
    const failed = call('is sane', tool('fail'));
    expect(await failed.end).toMatchObject({ t: 'result', value: { failed: true } });
    expect(failed.text).toBe('no such row');
    expect(await call('is sane', tool('error')).end).toMatchObject({
      name: 'ToolError',
      message: expect.stringContaining('text is missing'),
    });
  });

  const SECRET = { SCRIPTED_TOKEN: 'sk-live-0123456789' };

  test('that answers its start with an error is told as one that refuses, not as one that knows no protocol', async () => {
    expect(await server('refuses to start', {}, SECRET).end).toMatchObject({
      t: 'failed',
      name: 'tool-server-unwilling',
      fields: { said: 'No such key: •••' },
    });
  });

  test('that writes its secret where messages are expected is told without it', async () => {
    const end = await server('talks of its secret', {}, SECRET).end;
    expect(end).toMatchObject({ name: 'tool-server-unknown', fields: { said: `${'x'.repeat(290)}•••` } });
    expect(JSON.stringify(end)).not.toContain('sk-');
  });

  test('that puts its secret into its title, its tools and its errors is masked, and its tools can be called', async () => {
    const { running, tools, tool } = await ready('shows its secret', SECRET);
    const { title } = await listOf(running);
    expect(title).toBe('scripted •••');
    expect(tools.map(({ name }) => name)).toEqual(['of •••', 'probe']);
    const refused = await call('shows its secret', tool()).end;
    expect(refused).toMatchObject({ t: 'failed', name: 'ToolError', message: expect.stringContaining('xxx') });
    const called = call('shows its secret', tool('of •••'));
    await called.end;
    expect(called.text).toBe('true');
    expect(JSON.stringify([running.events, refused])).not.toContain('sk-');
  });

  test('that says a version without end is told with the beginning of it', async () => {
    const fields = { version: '9'.repeat(300) };
    expect(await server('speaks an endless version').end).toMatchObject({ name: 'tool-server-version', fields });
  });

  test('that is not there is told by its command', async () => {
    const launch = { kind: 'stdio', command: 'no-such-program', args: [], variables: {} } as const;
    expect(await server('is sane', { launch }).end).toMatchObject({
      t: 'failed',
      name: 'tool-no-command',
      fields: { command: 'no-such-program' },
    });
  });

  test.each([
    ['hangs at the start', 'tool-server-silent', { seconds: 0.5 }],
    ['dies at the start', 'tool-server-exited', { code: 3, said: 'cannot open the database' }],
    ['speaks another version', 'tool-server-version', { version: '1999-01-01' }],
    ['talks of other things', 'tool-server-unknown', { said: 'Welcome! What can I do for you?' }],
  ] as const)('that %s is told as it is', async (deed, name, fields) => {
    const startMs = deed === 'hangs at the start' ? 500 : 30_000;
    expect(await server(deed, { startMs }).end).toMatchObject({ t: 'failed', name, fields });
  });

  test.each([
    ['dies in mid-call', 'tool-server-exited', { code: 3, said: 'the disk went away' }],
    ['answers with 5 MB', 'tool-server-flooded', { what: 'message' }],
    ['writes without end', 'tool-server-flooded', {}],
    ['writes errors without end', 'tool-server-flooded', { what: 'stderr' }],
    ['asks without end', 'tool-server-flooded', {}],
  ] as const)('that %s fails that call and ends; another server’s call goes on', async (deed, name, fields) => {
    const [mad, sane] = await Promise.all([ready(deed), ready('is sane')]);
    const lost = call(deed, mad.tool());
    expect(await lost.end).toMatchObject({ t: 'failed', name, fields });
    expect(await mad.running.end).toMatchObject({ t: 'failed', name, fields });
    const other = call('is sane', sane.tool());
    await other.end;
    expect(other.text).toBe('probe: hello');
    expect(hosts.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)).toHaveLength(1);
    expect(sane.running.handle.end).toBeNull();
  });

  test('that hangs in mid-call is given up by a cancel, and answers the next call', async () => {
    const { tool, running } = await ready('hangs in mid-call');
    const hung = call('hangs in mid-call', tool());
    hung.handle.cancel('user');
    expect(await hung.end).toEqual({ t: 'stopped' });
    const next = call('hangs in mid-call', tool());
    next.handle.cancel('user');
    expect(await next.end).toEqual({ t: 'stopped' });
    expect(running.handle.end).toBeNull();
  });

  test('that is beyond hearing after a cancel is ended', async () => {
    const { tool, running } = await ready('spins in mid-call');
    const hung = call('spins in mid-call', tool());
    await running.seen((event) => event.t === 'stderr' && event.lines.includes('spinning'));
    hung.handle.cancel('user');
    expect(await hung.end).toEqual({ t: 'stopped' });
    expect(await running.end).toMatchObject({ t: 'failed', name: 'tool-server-silent' });
  });

  test('that answers with more than 1 MB has its result cut with a mark, inside no character', async () => {
    const { tool } = await ready('answers with 3 MB');
    const called = call('answers with 3 MB', tool());
    expect(await called.end).toMatchObject({ t: 'result' });
    const [kept = '', mark] = called.text.split('\n');
    expect(Buffer.byteLength(kept)).toBe(1_000_000);
    expect(kept).toMatch(/^é+$/);
    expect(mark).toBe('[Cut here: the tool answered with 3.0 MB, of which 1 MB is kept.]');
  });

  test('that answers in odd forms is read as far as it can be', async () => {
    const { tool } = await ready('answers in odd forms');
    const called = call('answers in odd forms', tool());
    await called.end;
    expect(called.text.split('\n')).toEqual([
      'words',
      '[image, image/png, 3 kB: left out, only text is taken]',
      '[file:///a.txt]',
      'of a file',
      '[hologram: left out, only text is taken]',
      '[unknown: left out, only text is taken]',
    ]);
  });

  test('that lies about its tools offers those that are none of it, and says which were left out and why', async () => {
    const { running, tools } = await ready('lies about its tools');
    expect(tools.map(({ name }) => name)).toEqual(['probe', 'ödd näme / with: signs']);
    expect((await listOf(running)).leftOut).toEqual([
      { name: 'no schema', why: 'schema' },
      { name: 'bad type', why: 'schema' },
      { name: 'bad part', why: 'schema' },
      { name: 'bad ref', why: 'schema' },
      { name: String.raw`line\u{a}break`, why: 'name' },
      { name: '', why: 'name' },
      { name: '7', why: 'name' },
      { name: 'large', why: 'too-large' },
      { name: 'probe', why: 'twice' },
    ]);
  });

  test('that changes a tool in silence is not called with what nobody has seen', async () => {
    const { running, tool } = await ready('changes in silence');
    expect(await call('changes in silence', tool()).end).toMatchObject({ t: 'failed', name: 'ToolChanged' });
    const now = await listOf(running);
    expect(now.tools[0]?.description).toBe('Sends it to everybody.');
    const seen = call('changes in silence', now.tools[0] as HostedTool);
    await seen.end;
    expect(seen.text).toBe('probe: hello');
  });

  test('that tells of a change is listed again', async () => {
    const { running, tool } = await ready('tells of a change');
    await call('tells of a change', tool()).end;
    await running.seen((event) => event.t === 'tools' && event.tools.length === 2);
    expect((await listOf(running)).tools.map(({ name }) => name)).toEqual(['added', 'probe']);
  });
});

describe.runIf(process.platform === 'linux')('what a tool server has started', () => {
  const grandchild = async (deed: ServerDeed = 'starts another program') => {
    const { running, tool } = await ready(deed);
    const called = call(deed, tool());
    await called.end;
    const pid = Number(called.text);
    expect(alive(pid)).toBe(true);
    return { running, pid };
  };
  const gone = (pid: number) => vi.waitFor(() => expect(alive(pid)).toBe(false), { timeout: 5_000, interval: 20 });

  test.each(['starts another program', 'leaves another program behind'] as const)(
    'ends with the server, also one that %s',
    async (deed) => {
      const { running, pid } = await grandchild(deed);
      running.handle.cancel('user');
      expect(await running.end).toEqual({ t: 'stopped' });
      await gone(pid);
    },
  );

  test('ends with the tool host when that is killed', async () => {
    const { running, pid } = await grandchild();
    running.handle.kill();
    expect(await running.end).toMatchObject({ t: 'exited' });
    await gone(pid);
  });

  test('ends with main when that is gone', async () => {
    const { pid } = await grandchild();
    hosts.at(-1)?.disconnect();
    await gone(pid);
  });

  test('ends when the app quits', async () => {
    const { pid } = await grandchild();
    await pool.close(100);
    await gone(pid);
    pool = newPool();
  });
});

test('a file is read in a process that holds no server', async () => {
  const { running } = await ready('is sane');
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'palimpsest-files-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'a.txt'), 'words');
  const grant = { folders: [{ name: 'notes', path: folder }], closed: [] };
  const reading = open({ kind: 'read-file', ...grant, path: 'notes/a.txt', from: 1, lines: 1 });
  expect(await reading.end).toMatchObject({ t: 'result', value: { failed: false } });
  const looking = open({ kind: 'gone-folders', folders: [{ name: 'stick', path: path.join(folder, 'no') }] });
  expect(await looking.end).toMatchObject({ t: 'result' });
  expect(looking.events).toContainEqual(expect.objectContaining({ t: 'text', text: 'stick' }));
  expect(pool.census().map(({ role, open: streams }) => [role, streams])).toEqual([
    ['tools', 1],
    ['files', 0],
  ]);
  expect(running.handle.end).toBeNull();
});
