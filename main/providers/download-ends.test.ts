import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../shared/errors';
import { catalogueId } from '../../shared/model/download';
import { DownloadBench, ended, FILE, id, reached, stateOf } from '../testing/download-bench';

const bench = DownloadBench.use();

test.each([
  ['does not list the file', { listed: null }, { kind: 'gone' }],
  ['names no checksum', { listed: { oid: 'none' } }, { kind: 'odd-answer', status: 200 }],
  ['names no size', { listed: { size: -1 } }, { kind: 'odd-answer', status: 200 }],
  ['wants an account', { status: 401 }, { kind: 'refused', status: 401 }],
  ['sends on', { status: 302 }, { kind: 'odd-answer', status: 302 }],
] as const)('a hub that %s ends it with that reason', async (_what, behavior, why) => {
  bench.hub.behave(behavior);
  expect(await bench.failure(bench.entry({ pin: null }))).toEqual(why);
});

test.each([
  [401, { kind: 'refused', status: 401 }],
  [403, { kind: 'refused', status: 403 }],
  [404, { kind: 'gone' }],
  [418, { kind: 'odd-answer', status: 418 }],
] as const)('status %i for the file ends it at once', async (status, why) => {
  bench.hub.behave({ status });
  expect(await bench.failure()).toEqual(why);
  expect(bench.hub.files()).toHaveLength(1);
});

test('a file that is shorter than promised, and one with other bytes', async () => {
  bench.hub.behave({ bytes: FILE.subarray(1) });
  expect(await bench.failure()).toEqual({ kind: 'wrong-length', expected: FILE.length, got: FILE.length - 1 });
  const other = Buffer.from(FILE);
  other[0] = 1 ^ (other[0] ?? 0);
  bench.hub.behave({ bytes: other });
  expect(await bench.failure()).toEqual({ kind: 'wrong-hash' });
  expect(bench.hub.files()).toHaveLength(2);
  expect(readdirSync(join(bench.profile, 'models'))).toEqual([]);
});

test('bytes of an earlier try that prove wrong are thrown away, and all is fetched once more by itself', async () => {
  mkdirSync(join(bench.profile, 'models'));
  writeFileSync(`${bench.path}.part`, Buffer.alloc(1_000, 1));
  writeFileSync(`${bench.path}.json`, JSON.stringify({ id, etag: null, ...bench.pin }));
  const service = await bench.downloads();
  expect(stateOf(service)).toEqual({ state: 'paused', done: 1_000, of: FILE.length });
  service.begin(id);
  expect(await ended(service)).toEqual(bench.done);
  expect(bench.hub.files()).toHaveLength(2);
});

test('too little space is found before the first byte', async () => {
  const bytes = 1e15;
  const why = await bench.failure(bench.entry({ pin: { ...bench.pin, bytes } }));
  expect(why).toMatchObject({ kind: 'no-space', needBytes: bytes + 200_000_000 });
  expect(bench.hub.journal).toHaveLength(0);
});

test('a model that another window downloads is left to it', async () => {
  bench.locked.add(id);
  expect(await bench.failure()).toEqual({ kind: 'elsewhere' });
  expect(bench.hub.journal).toHaveLength(0);
});

test('a file that is as promised and no model is not kept', async () => {
  const why = await bench.failure(bench.entry(), {
    added: async () => {
      throw new AppError('not-a-model-file', { file: 'm.gguf', reason: 'it does not begin with GGUF' });
    },
  });
  expect(why).toEqual({ kind: 'not-a-model', reason: 'it does not begin with GGUF' });
  expect(readdirSync(join(bench.profile, 'models'))).toEqual([]);
});

test('a file that is as promised and cannot be read just now stays, and the next try takes it in', async () => {
  let readable = false;
  const added = async () => {
    if (!readable) throw new AppError('file-unreadable', { file: 'm.gguf', reason: 'EMFILE: too many open files' });
  };
  const unreadable = { kind: 'unreadable', reason: 'EMFILE: too many open files' };
  const service = await bench.downloads(bench.entry(), { added });
  service.begin(id);
  expect(await ended(service)).toMatchObject({ state: 'failed', why: unreadable });
  expect(readFileSync(bench.path).equals(FILE)).toBe(true);
  // the next start says the same instead of offering a chat
  const next = await bench.downloads(bench.entry(), { added });
  expect(stateOf(next)).toEqual({ state: 'failed', done: 0, of: FILE.length, why: unreadable });
  readable = true;
  next.begin(id);
  expect(await reached(next, 'done')).toEqual(bench.done);
  expect(bench.hub.files()).toHaveLength(1);
});

test('a fault of the app ends the download with its message and is told', async () => {
  const told: unknown[] = [];
  const over = {
    lock: () => {
      throw new Error('no lock');
    },
    failed: (error: unknown) => told.push(error),
  };
  expect(await bench.failure(bench.entry(), over)).toEqual({ kind: 'internal', message: 'no lock' });
  expect(told).toHaveLength(1);
});

test('the space that another download still needs is not taken for free', async () => {
  const other = catalogueId.parse('other');
  const left = 1e15;
  bench.hub.behave({ stallAfter: 1_000_000 });
  const service = await bench.downloads(bench.entry(), {
    catalogue: [bench.entry(), bench.entry({ id: other, file: 'o.gguf', pin: { ...bench.pin, bytes: left } })],
  });
  service.begin(id);
  await reached(service, 'running');
  service.begin(other);
  await expect.poll(() => service.rows()[1]?.download?.state).toBe('failed');
  const why = service.rows()[1]?.download;
  const needBytes = why?.state === 'failed' && why.why.kind === 'no-space' ? why.why.needBytes : 0;
  expect(needBytes).toBeGreaterThan(left + 200_000_000);
});
