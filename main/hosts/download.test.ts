import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../lib/clock';
import { silentLog } from '../lib/log';
import { type Hub, sha256Of, startHub } from '../testing/hub-server';
import { inProcessFork } from '../testing/in-process-fork';
import { HostPool } from './pool';
import { runDownload } from './process/download/download';
import { mayFollow } from './process/download/download-request';
import type { DownloadJob, DownloadTry } from './protocol';
import { isRefusal, type StreamEnd, type StreamHandle } from './stream-handle';

/** The role `downloads` against a server on a real socket. The process is this one: what it does is the same. */
const FILE = Buffer.from(Array.from({ length: 900_000 }, (_, i) => (i * 7919 + (i >> 8)) % 251));
let hub: Hub;
let pool: HostPool;
let folder: string;
let path: string;
beforeEach(async () => {
  hub = await startHub(FILE);
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-download-'));
  path = join(folder, 'm.gguf');
  pool = new HostPool({
    fork: inProcessFork(() => runDownload),
    clock: systemClock,
    instance: 'test',
    platform: process.platform,
    log: silentLog,
  });
});
afterEach(async () => {
  await pool.close(500);
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

function begin(over: Partial<DownloadJob> = {}): { stream: StreamHandle; end: Promise<StreamEnd>; heard: number[] } {
  const stream = pool.download({
    kind: 'download',
    url: `${hub.url}/someone/some-GGUF/resolve/abc/m.gguf`,
    path,
    bytes: FILE.length,
    sha256: hub.sha256,
    record: { id: 'm' },
    patienceMs: 5_000,
    proxy: null,
    ...over,
  });
  if (isRefusal(stream)) throw new Error(stream.refused);
  const heard: number[] = [];
  const end = new Promise<StreamEnd>((resolve) =>
    stream.on((event) => {
      if (event.t === 'phase' && event.done !== undefined) heard.push(event.done);
      if (event.t === 'settled') resolve(event.end);
    }),
  );
  return { stream, end, heard };
}
async function outcome(over: Partial<DownloadJob> = {}): Promise<DownloadTry> {
  const end = await begin(over).end;
  if (end.t !== 'result') throw new Error(JSON.stringify(end));
  return end.value as DownloadTry;
}
const part = () => readFileSync(`${path}.part`);
const partBytes = () => (existsSync(`${path}.part`) ? statSync(`${path}.part`).size : null);
const record = () => JSON.parse(readFileSync(`${path}.json`, 'utf8'));
/** Gets the first 300,000 bytes here, as an interrupted try leaves them. */
async function interrupted(): Promise<void> {
  hub.behave({ cutAfter: 300_000 });
  expect(await outcome()).toEqual({ kind: 'cut' });
  hub.behave({});
}

test('a file arrives whole, verified, under its name, with its record beside it', async () => {
  const { end, heard } = begin();
  expect(await end).toMatchObject({ t: 'result', value: { kind: 'done' } });
  expect(readFileSync(path).equals(FILE)).toBe(true);
  expect(partBytes()).toBeNull();
  expect(record()).toEqual({ id: 'm', etag: null });
  expect(heard.at(-1)).toBe(FILE.length);
  expect([...heard].sort((a, b) => a - b)).toEqual(heard);
});

test('what leaves this machine names no one: no key, no cookie, no referrer', async () => {
  await outcome();
  expect(Object.keys(hub.files()[0]?.headers ?? {}).sort()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ]);
});

test('an interrupted download goes on from its last byte, and says which file it means', async () => {
  await interrupted();
  const have = part().length;
  expect(have).toBeGreaterThan(0);
  expect(FILE.subarray(0, have).equals(part())).toBe(true);
  expect(record()).toEqual({ id: 'm', etag: '"first"' });
  expect(await outcome()).toEqual({ kind: 'done' });
  expect(hub.files()[1]?.headers).toMatchObject({ range: `bytes=${have}-`, 'if-range': '"first"' });
  expect(hub.files()[1]?.bytes).toBe(FILE.length - have);
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test('a server that ignores the range sends all of it once more, and that is what is kept', async () => {
  await interrupted();
  hub.behave({ ignoresRange: true });
  expect(await outcome()).toEqual({ kind: 'done' });
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test('another tag means another file: what was here of the old one is thrown away', async () => {
  await interrupted();
  hub.behave({ etag: '"second"' });
  expect(await outcome()).toEqual({ kind: 'done' });
  expect(hub.files().at(-1)?.bytes).toBe(FILE.length);
  expect(readFileSync(path).equals(FILE)).toBe(true);
});

test('a server that goes on although its file is another one now is asked for all of that', async () => {
  await interrupted();
  const asked = hub.files().length;
  hub.behave({ etag: '"second"', ignoresCondition: true });
  expect(await outcome()).toEqual({ kind: 'done' });
  expect(
    hub
      .files()
      .slice(asked)
      .map(({ headers }) => headers.range !== undefined),
  ).toEqual([true, false]);
});

test('a part with other bytes is found by the checksum and thrown away', async () => {
  writeFileSync(`${path}.part`, Buffer.alloc(300_000, 1));
  expect(await outcome()).toEqual({ kind: 'wrong-hash', whole: false });
  expect(partBytes()).toBeNull();
  expect(await outcome()).toEqual({ kind: 'done' });
});

test.each([
  ['https://hub.example', 'https://store.example/f', true],
  ['https://hub.example', 'http://store.example/f', false],
  ['https://hub.example', 'http://127.0.0.1:1/f', false],
  ['https://hub.example', 'file:///etc/passwd', false],
  ['http://127.0.0.1:1', 'http://127.0.0.1:2/f', true],
  ['http://127.0.0.1:1', 'https://store.example/f', true],
  ['http://127.0.0.1:1', 'http://store.example/f', false],
])('a redirect from %s to %s: followed %s', (from, to, followed) => {
  expect(mayFollow(new URL(from), new URL(to))).toBe(followed);
});

test('a part that the server cannot go on from is begun anew', async () => {
  writeFileSync(`${path}.part`, FILE.subarray(0, FILE.length - 1));
  hub.behave({ status: 416 });
  expect(await outcome()).toEqual({ kind: 'status', status: 416, retryAfterMs: null });
  expect(partBytes()).toBe(0);
});

test('a part that is longer than the file is begun anew', async () => {
  writeFileSync(`${path}.part`, Buffer.alloc(FILE.length + 5));
  expect(await outcome()).toEqual({ kind: 'done' });
  expect(hub.files()[0]?.headers.range).toBeUndefined();
});

test('a part that is whole already is verified without asking anybody', async () => {
  writeFileSync(`${path}.part`, FILE);
  expect(await outcome()).toEqual({ kind: 'done' });
  expect(hub.journal).toHaveLength(0);
});

test('a shorter file than promised is refused before its first byte, a longer one too', async () => {
  hub.behave({ bytes: FILE.subarray(1) });
  expect(await outcome()).toEqual({ kind: 'wrong-length', got: FILE.length - 1 });
  hub.behave({ bytes: Buffer.concat([FILE, FILE]) });
  expect(await outcome()).toEqual({ kind: 'wrong-length', got: FILE.length * 2 });
  expect([partBytes(), existsSync(path), existsSync(`${path}.json`)]).toEqual([null, false, false]);
});

test('a wrong length that the server does not announce is found while it comes', async () => {
  hub.behave({ bytes: FILE.subarray(0, 100_000), noLength: true });
  expect(await outcome()).toEqual({ kind: 'wrong-length', got: 100_000 });
  // it never comes to an end: one byte too many is enough
  hub.behave({ bytes: Buffer.concat([FILE, FILE]), noLength: true, stallAfter: FILE.length + 1 });
  expect(await outcome({ patienceMs: 60_000 })).toEqual({ kind: 'wrong-length', got: FILE.length + 1 });
  expect(partBytes()).toBeNull();
});

test('a part of the file that ends early, from a server that does not tell the whole length, is kept', async () => {
  await interrupted();
  const short = { bytes: FILE.subarray(0, 600_000), noTotal: true };
  hub.behave({ ...short, noLength: true });
  expect(await outcome()).toEqual({ kind: 'cut' });
  expect(part().equals(FILE.subarray(0, 600_000))).toBe(true);
  hub.behave({});
  expect(await outcome()).toEqual({ kind: 'done' });
  expect(hub.files().at(-1)?.headers.range).toBe('bytes=600000-');
});

test('a record is on the disk before it has its name, so that a power cut leaves no empty one', async () => {
  const handle = await open(join(folder, 'any'), 'w');
  const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync');
  await handle.close();
  const names: string[] = [];
  sync.mockImplementation(async function (this: FileHandle) {
    const { ino } = await this.stat();
    names.push(...readdirSync(folder).filter((name) => statSync(join(folder, name)).ino === ino));
    if (names.at(-1)?.endsWith('.new')) expect(await readFile(`${path}.json.new`, 'utf8')).toMatch(/^\{.*\}\n$/);
  });
  expect(await outcome()).toEqual({ kind: 'done' });
  sync.mockRestore();
  expect(names).toEqual(['m.gguf.json.new', 'm.gguf.json.new', 'm.gguf.part']);
});

test('a file with the right length and other bytes never gets its name', async () => {
  const other = Buffer.from(FILE);
  other[1_000] = (other[1_000] ?? 0) ^ 1;
  hub.behave({ bytes: other });
  expect(await outcome()).toEqual({ kind: 'wrong-hash', whole: true });
  expect([partBytes(), existsSync(path)]).toEqual([null, false]);
});

test('a connection that breaks off keeps what came, with and without a length', async () => {
  hub.behave({ cutAfter: 200_000 });
  expect(await outcome()).toEqual({ kind: 'cut' });
  const first = partBytes() ?? 0;
  expect(first).toBeGreaterThan(0);
  hub.behave({ cutAfter: 200_000, noLength: true });
  expect(await outcome()).toEqual({ kind: 'cut' });
  expect(partBytes()).toBeGreaterThan(first);
});

test('a server that falls silent is given up after its patience, before and inside the file', async () => {
  hub.behave({ stallAfter: 128_000 });
  expect(await outcome({ patienceMs: 200 })).toEqual({ kind: 'stalled' });
  expect(partBytes()).toBe(128_000);
  hub.behave({ stallAfter: 0 });
  expect(await outcome({ patienceMs: 200 })).toEqual({ kind: 'stalled' });
  expect(partBytes()).toBe(128_000);
});

test.each([401, 403, 404, 410, 418, 429, 500, 503])('status %i is told as it is', async (status) => {
  hub.behave({ status, headers: { 'retry-after': '7' } });
  expect(await outcome()).toEqual({ kind: 'status', status, retryAfterMs: 7_000 });
});

test('a server that is not there, and a name that nobody has', async () => {
  const nobody = await startHub(FILE);
  await nobody.close();
  const host = new URL(nobody.url).host;
  expect(await outcome({ url: `${nobody.url}/f` })).toEqual({ kind: 'unreachable', host, reason: 'ECONNREFUSED' });
});

test('a redirect to another host of this machine is followed, with the range and without anything else', async () => {
  const store = await startHub(FILE);
  await interrupted();
  hub.behave({ redirect: `${store.url}/resolve/blob` });
  expect(await outcome()).toEqual({ kind: 'done' });
  expect(store.files()[0]?.headers.range).toMatch(/^bytes=\d+-$/);
  expect(readFileSync(path).equals(FILE)).toBe(true);
  await store.close();
});

test('a redirect off this machine without encryption is refused, and so is one that goes round in circles', async () => {
  hub.behave({ redirect: 'http://example.com/f' });
  expect(await outcome()).toEqual({ kind: 'bad-redirect', address: 'http://example.com' });
  hub.behave({ redirect: `${hub.url}/resolve/again` });
  expect(await outcome()).toEqual({ kind: 'bad-redirect', address: hub.url });
  expect(hub.files().filter(({ path: asked }) => asked.endsWith('again')).length).toBeLessThanOrEqual(6);
});

test('an address without encryption on another machine is not even asked', async () => {
  expect(await outcome({ url: 'http://example.com/f' })).toEqual({
    kind: 'bad-redirect',
    address: 'http://example.com',
  });
});

test.runIf(process.platform === 'linux')('a disk that fills up is told as such', async () => {
  symlinkSync('/dev/full', `${path}.part`); // every write there gives ENOSPC
  expect(await outcome()).toEqual({ kind: 'disk-full' });
});

test('a folder that cannot be written to is told as such', async () => {
  expect(await outcome({ path: join(folder, 'absent', 'm.gguf') })).toEqual({ kind: 'not-writable', reason: 'ENOENT' });
});

test('a cancel stops it at once, keeps what came, and lets go of the socket', async () => {
  hub.behave({ stallAfter: 128_000 });
  const { stream, end, heard } = begin();
  const entry = await hub.asked('m.gguf');
  await expect.poll(() => heard.at(-1) ?? 0).toBeGreaterThan(0);
  const from = performance.now();
  stream.cancel('user');
  expect(await end).toEqual({ t: 'stopped' });
  expect(performance.now() - from).toBeLessThan(1_000);
  await entry.over;
  expect(entry.aborted).toBe(true);
  hub.behave({});
  expect(await outcome()).toEqual({ kind: 'done' });
});

test('a cancel while the part of an earlier try is read stops that too', async () => {
  writeFileSync(`${path}.part`, Buffer.alloc(60_000_000));
  const { stream, end } = begin({ bytes: 70_000_000 });
  stream.cancel('user');
  expect(await end).toEqual({ t: 'stopped' });
  expect(hub.journal).toHaveLength(0);
});

test('progress is told a few times a second, however fast it comes', async () => {
  const { end, heard } = begin();
  await end;
  expect(heard.length).toBeLessThan(8);
  expect(sha256Of(readFileSync(path))).toBe(hub.sha256);
});
