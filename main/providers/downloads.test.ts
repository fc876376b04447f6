import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../shared/errors';
import { catalogueId, type Download } from '../../shared/model/download';
import { HostPool } from '../hosts/pool';
import { runDownload } from '../hosts/process/download/download';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { type Hub, startHub } from '../testing/hub-server';
import { inProcessFork } from '../testing/in-process-fork';
import { ManualClock } from '../testing/manual-clock';
import { straightNetwork } from '../testing/straight-network';
import type { CatalogueEntry, Pin } from './catalogue';
import { Downloads, type DownloadsOptions } from './downloads';
import { EMBEDDED } from './embedded-files';
import { ModelFolder } from './model-folder';

/** The catalogue's verbs over a real server, a real folder and the real work of the download host. */
const FILE = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 7919 + (i >> 8)) % 251));
const id = catalogueId.parse('m');
let hub: Hub;
let pool: HostPool;
let profile: string;
let made: Downloads[];
let added: string[];
let locked: Set<string>;
beforeEach(async () => {
  hub = await startHub(FILE);
  profile = mkdtempSync(join(tmpdir(), 'palimpsest-downloads-'));
  pool = newPool();
  made = [];
  added = [];
  locked = new Set();
});
afterEach(async () => {
  for (const downloads of made) await downloads.quit();
  await pool.close(500);
  await hub.close();
  rmSync(profile, { recursive: true, force: true });
});

function newPool(): HostPool {
  return new HostPool({
    fork: inProcessFork(() => runDownload),
    clock: systemClock,
    instance: 'test',
    platform: process.platform,
    log: silentLog,
  });
}
const pinned = (): Pin => ({ revision: 'abc', bytes: FILE.length, sha256: hub.sha256 });
const entry = (over: Partial<CatalogueEntry> = {}): CatalogueEntry => ({
  id,
  name: 'M',
  licence: 'MIT',
  parameters: 1,
  shape: { layers: 2, kvHeads: 1, keyLength: 8, valueLength: 8 },
  repo: 'someone/M-GGUF',
  file: 'm.gguf',
  pin: pinned(),
  ...over,
});
async function downloads(one: CatalogueEntry = entry(), over: Partial<DownloadsOptions> = {}) {
  const service = new Downloads({
    catalogue: [one],
    hub: hub.url,
    folder: new ModelFolder(join(profile, 'models')),
    hosts: pool,
    network: straightNetwork,
    clock: systemClock,
    lock: (name) => {
      if (locked.has(name)) return null;
      locked.add(name);
      return { release: () => locked.delete(name) };
    },
    memoryBytes: 16e9,
    added: async (path) => added.push(path),
    failed: (error) => {
      throw error;
    },
    patienceMs: 5_000,
    ...over,
  });
  made.push(service);
  await service.start();
  return service;
}
const path = () => join(profile, 'models', 'm.gguf');
const done = () => ({ state: 'done', model: { providerId: EMBEDDED, model: path() } });
const state = (service: Downloads): Download | null => service.rows()[0]?.download ?? null;
/** Resolves with the download once it is in one of these states. */
function reached(service: Downloads, ...states: readonly Download['state'][]): Promise<Download> {
  return new Promise((resolve) => {
    const look = () => {
      const now = state(service);
      if (!now || !states.includes(now.state)) return;
      stop();
      resolve(now);
    };
    const stop = service.changed.on(look);
    look();
  });
}
const ended = (service: Downloads) => reached(service, 'done', 'failed');
async function failure(one = entry(), over: Partial<DownloadsOptions> = {}) {
  const service = await downloads(one, over);
  service.begin(id);
  const end = await ended(service);
  return end.state === 'failed' ? end.why : end;
}

test('nothing is asked or downloaded before the user wants it', async () => {
  const service = await downloads();
  expect(service.rows()).toMatchObject([{ id, download: null, bytes: FILE.length, sha256: hub.sha256, fit: 'fits' }]);
  expect(hub.journal).toHaveLength(0);
  expect(existsSync(join(profile, 'models'))).toBe(false);
});

test('a model arrives, is taken into the list, and its lock is free again', async () => {
  const service = await downloads();
  service.begin(id);
  expect(state(service)).toMatchObject({ state: 'running' });
  expect(await ended(service)).toEqual(done());
  expect(added).toEqual([path()]);
  expect(readFileSync(path()).equals(FILE)).toBe(true);
  expect(service.owns(path())).toBe(true);
  expect(locked.size).toBe(0);
  expect(hub.files()[0]?.path).toBe('/someone/M-GGUF/resolve/abc/m.gguf');
});

test('without a pin the hub is asked first, and the file has to be what it said', async () => {
  const service = await downloads(entry({ pin: null }));
  expect(service.rows()).toMatchObject([{ bytes: null, sha256: null, needsBytes: null, fit: null }]);
  service.begin(id);
  expect(state(service)).toEqual({ state: 'asking' });
  expect(await ended(service)).toEqual(done());
  expect(service.rows()).toMatchObject([{ bytes: FILE.length, sha256: hub.sha256 }]);
  expect(hub.journal[0]).toMatchObject({
    path: '/api/models/someone/M-GGUF/paths-info/main',
    body: { paths: ['m.gguf'] },
  });

  hub.behave({ listed: { oid: 'ab'.repeat(32) } });
  await service.erase(path());
  service.begin(id);
  expect(await ended(service)).toMatchObject({ state: 'failed', why: { kind: 'wrong-hash' } });
  expect(service.rows()).toMatchObject([{ bytes: null, sha256: null }]);
});

test.each([
  ['does not list the file', { listed: null }, { kind: 'gone' }],
  ['names no checksum', { listed: { oid: 'none' } }, { kind: 'odd-answer', status: 200 }],
  ['names no size', { listed: { size: -1 } }, { kind: 'odd-answer', status: 200 }],
  ['wants an account', { status: 401 }, { kind: 'refused', status: 401 }],
  ['sends on', { status: 302 }, { kind: 'odd-answer', status: 302 }],
] as const)('a hub that %s ends it with that reason', async (_what, behavior, why) => {
  hub.behave(behavior);
  expect(await failure(entry({ pin: null }))).toEqual(why);
});

test.each([
  [401, { kind: 'refused', status: 401 }],
  [403, { kind: 'refused', status: 403 }],
  [404, { kind: 'gone' }],
  [418, { kind: 'odd-answer', status: 418 }],
] as const)('status %i for the file ends it at once', async (status, why) => {
  hub.behave({ status });
  expect(await failure()).toEqual(why);
  expect(hub.files()).toHaveLength(1);
});

test('a file that is shorter than promised, and one with other bytes', async () => {
  hub.behave({ bytes: FILE.subarray(1) });
  expect(await failure()).toEqual({ kind: 'wrong-length', expected: FILE.length, got: FILE.length - 1 });
  const other = Buffer.from(FILE);
  other[0] = 1 ^ (other[0] ?? 0);
  hub.behave({ bytes: other });
  expect(await failure()).toEqual({ kind: 'wrong-hash' });
  expect(hub.files()).toHaveLength(2);
  expect(readdirSync(join(profile, 'models'))).toEqual([]);
});

test('bytes of an earlier try that prove wrong are thrown away, and all is fetched once more by itself', async () => {
  mkdirSync(join(profile, 'models'));
  writeFileSync(`${path()}.part`, Buffer.alloc(1_000, 1));
  writeFileSync(`${path()}.json`, JSON.stringify({ id, etag: null, ...pinned() }));
  const service = await downloads();
  expect(state(service)).toEqual({ state: 'paused', done: 1_000, of: FILE.length });
  service.begin(id);
  expect(await ended(service)).toEqual(done());
  expect(hub.files()).toHaveLength(2);
});

test('too little space is found before the first byte', async () => {
  const bytes = 1e15;
  const why = await failure(entry({ pin: { ...pinned(), bytes } }));
  expect(why).toMatchObject({ kind: 'no-space', needBytes: bytes + 200_000_000 });
  expect(hub.journal).toHaveLength(0);
});

test('a model that another window downloads is left to it', async () => {
  locked.add(id);
  expect(await failure()).toEqual({ kind: 'elsewhere' });
  expect(hub.journal).toHaveLength(0);
});

test('a file that is as promised and no model is not kept', async () => {
  const why = await failure(entry(), {
    added: async () => {
      throw new AppError('not-a-model-file', { file: 'm.gguf', reason: 'it does not begin with GGUF' });
    },
  });
  expect(why).toEqual({ kind: 'not-a-model', reason: 'it does not begin with GGUF' });
  expect(readdirSync(join(profile, 'models'))).toEqual([]);
});

test('a fault of the app ends the download with its message and is told', async () => {
  const told: unknown[] = [];
  const over = {
    lock: () => {
      throw new Error('no lock');
    },
    failed: (error: unknown) => told.push(error),
  };
  expect(await failure(entry(), over)).toEqual({ kind: 'internal', message: 'no lock' });
  expect(told).toHaveLength(1);
});

test('a broken connection is tried again after a second, from where it broke', async () => {
  const clock = new ManualClock();
  hub.behave({ cutAfter: 500_000 });
  const service = await downloads(entry(), { clock });
  service.begin(id);
  const waiting = await reached(service, 'waiting');
  expect(waiting).toMatchObject({ why: { kind: 'cut' }, retryAt: clock.wall() + 1_000, of: FILE.length });
  hub.behave({});
  clock.advance(1_000);
  expect(await ended(service)).toEqual(done());
  expect(hub.files()[1]?.headers.range).toMatch(/^bytes=[1-9]\d*-$/);
});

test('a server that stays away is tried six times in all, each time later, and then it is the user’s turn', async () => {
  const clock = new ManualClock();
  hub.behave({ status: 503 });
  const service = await downloads(entry(), { clock });
  service.begin(id);
  const waits: number[] = [];
  for (;;) {
    const next = await reached(service, 'waiting', 'failed');
    if (next.state !== 'waiting') break;
    waits.push(next.retryAt - clock.wall());
    const again = reached(service, 'running');
    clock.advance(next.retryAt - clock.wall());
    await again;
  }
  expect(waits).toEqual([1_000, 3_000, 10_000, 30_000, 60_000]);
  expect(state(service)).toMatchObject({ state: 'failed', why: { kind: 'server-busy', status: 503 } });
  expect(clock.armed).toBe(0);
  hub.behave({});
  service.begin(id);
  expect(await ended(service)).toEqual(done());
});

test('a server that says when to come back is not asked earlier', async () => {
  const clock = new ManualClock();
  hub.behave({ status: 429, headers: { 'retry-after': '120' } });
  const service = await downloads(entry(), { clock });
  service.begin(id);
  expect(await reached(service, 'waiting')).toMatchObject({ retryAt: clock.wall() + 120_000 });
  await service.pause(id);
  expect(state(service)).toBeNull();
});

test('a pause stops it within a second in every state and keeps what came; a resume goes on from there', async () => {
  hub.behave({ stallAfter: 1_000_000 });
  const service = await downloads();
  service.begin(id);
  await expect.poll(() => (state(service) as { done?: number }).done ?? 0).toBeGreaterThan(0);
  const from = performance.now();
  await service.pause(id);
  expect(performance.now() - from).toBeLessThan(1_000);
  const paused = state(service);
  expect(paused).toMatchObject({ state: 'paused', of: FILE.length });
  expect((paused as { done: number }).done).toBeGreaterThan(0);
  hub.behave({});
  service.begin(id);
  expect(await ended(service)).toEqual(done());
});

test('a pause does not wait for a hub that has not answered yet', async () => {
  const service = await downloads(entry({ pin: null }), {
    hub: 'https://hub.example',
    network: { ...straightNetwork, fetch: () => new Promise(() => {}) },
  });
  service.begin(id);
  await reached(service, 'asking');
  await service.pause(id);
  expect(state(service)).toBeNull();
});

test('a cancel deletes what came; a model that is whole stays', async () => {
  hub.behave({ stallAfter: 1_000_000 });
  const service = await downloads();
  service.begin(id);
  await expect.poll(() => (state(service) as { done?: number }).done ?? 0).toBeGreaterThan(0);
  await service.cancel(id);
  expect(state(service)).toBeNull();
  expect(readdirSync(join(profile, 'models'))).toEqual([]);
  hub.behave({});
  service.begin(id);
  await ended(service);
  await service.cancel(id);
  expect(existsSync(path())).toBe(true);
});

test('the next start knows the part, resumes it, and takes in what had become whole', async () => {
  hub.behave({ stallAfter: 1_000_000 });
  const first = await downloads();
  first.begin(id);
  await expect.poll(() => (state(first) as { done?: number }).done ?? 0).toBeGreaterThan(0);
  await first.quit();
  await pool.close(500);
  pool = newPool();
  hub.behave({});
  const second = await downloads();
  expect(state(second)).toMatchObject({ state: 'paused' });
  expect(added).toEqual([]);
  second.begin(id);
  expect(await ended(second)).toEqual(done());
  const third = await downloads();
  expect(state(third)).toEqual(done());
  expect(added).toEqual([path(), path()]);
});

test('a process that dies is started anew after a second, and the file goes on', async () => {
  const clock = new ManualClock();
  hub.behave({ stallAfter: 1_000_000 });
  const service = await downloads(entry(), { clock });
  service.begin(id);
  await expect.poll(() => (state(service) as { done?: number }).done ?? 0).toBeGreaterThan(0);
  await pool.close(0);
  expect(await reached(service, 'waiting', 'paused')).toMatchObject({ state: 'waiting', why: { kind: 'died' } });
});

test('a file that the app did not make is never its own', async () => {
  mkdirSync(join(profile, 'models'));
  writeFileSync(join(profile, 'models', 'mine.gguf'), 'GGUF');
  writeFileSync(join(profile, 'models', 'other.gguf'), 'GGUF');
  writeFileSync(join(profile, 'models', 'other.gguf.json'), '{"some": "thing"}');
  const service = await downloads();
  expect(service.owns(join(profile, 'models', 'mine.gguf'))).toBe(false);
  expect(service.owns(join(profile, 'models', 'other.gguf'))).toBe(false);
});

test('what is shown of a running download changes a few times a second at most', async () => {
  hub.behave({ slow: { piece: 60_000, everyMs: 20 } });
  const service = await downloads();
  let times = 0;
  service.changed.on(() => times++);
  const from = performance.now();
  service.begin(id);
  await ended(service);
  expect(times).toBeLessThan(8 + ((performance.now() - from) / 1_000) * 5);
});
