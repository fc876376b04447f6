import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DownloadJob, Job, StreamId } from '../hosts/protocol';
import { DownloadBench, ended, FILE, hereOf, id, reached, stateOf } from '../testing/download-bench';
import { ManualClock } from '../testing/manual-clock';
import { SimulatedStream } from '../testing/simulated-host';
import { straightNetwork } from '../testing/straight-network';

const bench = DownloadBench.use();

test('nothing is asked or downloaded before the user wants it', async () => {
  const service = await bench.downloads();
  expect(service.rows()).toMatchObject([
    { id, download: null, bytes: FILE.length, sha256: bench.hub.sha256, fit: 'fits' },
  ]);
  expect(bench.hub.journal).toHaveLength(0);
  expect(existsSync(join(bench.profile, 'models'))).toBe(false);
});

test('a model arrives, is taken into the list, and its lock is free again', async () => {
  const service = await bench.downloads();
  service.begin(id);
  expect(stateOf(service)).toMatchObject({ state: 'running' });
  expect(await ended(service)).toEqual(bench.done);
  expect(bench.added).toEqual([bench.path]);
  expect(readFileSync(bench.path).equals(FILE)).toBe(true);
  expect(service.owns(bench.path)).toBe(true);
  expect(bench.locked.size).toBe(0);
  expect(bench.hub.files()[0]?.path).toBe('/someone/M-GGUF/resolve/abc/m.gguf');
});

test('without a pin the hub is asked first, and the file has to be what it said', async () => {
  const service = await bench.downloads(bench.entry({ pin: null }));
  expect(service.rows()).toMatchObject([{ bytes: null, sha256: null, needsBytes: null, fit: null }]);
  service.begin(id);
  expect(stateOf(service)).toEqual({ state: 'asking' });
  expect(await ended(service)).toEqual(bench.done);
  expect(service.rows()).toMatchObject([{ bytes: FILE.length, sha256: bench.hub.sha256 }]);
  expect(bench.hub.journal[0]).toMatchObject({
    path: '/api/models/someone/M-GGUF/paths-info/main',
    body: { paths: ['m.gguf'] },
  });

  bench.hub.behave({ listed: { oid: 'ab'.repeat(32) } });
  await service.erase(bench.path);
  service.begin(id);
  expect(await ended(service)).toMatchObject({ state: 'failed', why: { kind: 'wrong-hash' } });
  expect(service.rows()).toMatchObject([{ bytes: null, sha256: null }]);
});

test('a broken connection is tried again after a second, from where it broke', async () => {
  const clock = new ManualClock();
  bench.hub.behave({ cutAfter: 500_000 });
  const service = await bench.downloads(bench.entry(), { clock });
  service.begin(id);
  const waiting = await reached(service, 'waiting');
  expect(waiting).toMatchObject({ why: { kind: 'cut' }, retryAt: clock.wall() + 1_000, of: FILE.length });
  bench.hub.behave({});
  clock.advance(1_000);
  expect(await ended(service)).toEqual(bench.done);
  expect(bench.hub.files()[1]?.headers.range).toMatch(/^bytes=[1-9]\d*-$/);
});

test('a server that stays away is tried six times in all, each time later, and then it is the user’s turn', async () => {
  const clock = new ManualClock();
  bench.hub.behave({ status: 503 });
  const service = await bench.downloads(bench.entry(), { clock });
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
  expect(stateOf(service)).toMatchObject({ state: 'failed', why: { kind: 'server-busy', status: 503 } });
  expect(clock.armed).toBe(0);
  bench.hub.behave({});
  service.begin(id);
  expect(await ended(service)).toEqual(bench.done);
});

test('a server that says when to come back is not asked earlier', async () => {
  const clock = new ManualClock();
  bench.hub.behave({ status: 429, headers: { 'retry-after': '120' } });
  const service = await bench.downloads(bench.entry(), { clock });
  service.begin(id);
  expect(await reached(service, 'waiting')).toMatchObject({ retryAt: clock.wall() + 120_000 });
  await service.pause(id);
  expect(stateOf(service)).toBeNull();
});

test('a pause stops it within a second and keeps what came; a resume goes on from there', async () => {
  bench.hub.behave({ stallAfter: 1_000_000 });
  const service = await bench.downloads();
  service.begin(id);
  await expect.poll(() => hereOf(service)).toBeGreaterThan(0);
  const from = performance.now();
  await service.pause(id);
  expect(performance.now() - from).toBeLessThan(1_000);
  const paused = stateOf(service);
  expect(paused).toMatchObject({ state: 'paused', of: FILE.length });
  expect((paused as { done: number }).done).toBeGreaterThan(0);
  bench.hub.behave({});
  service.begin(id);
  expect(await ended(service)).toEqual(bench.done);
});

test.each([
  ['a hub that has not answered yet', { pin: null }, 'fetch'],
  ['a system that has not named its proxy yet', {}, 'proxyOf'],
] as const)('a pause does not wait for %s', async (_what, over, silent) => {
  let asked = () => {};
  const asking = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const never = () => {
    asked();
    return new Promise<never>(() => {});
  };
  const service = await bench.downloads(bench.entry(over), {
    hub: 'https://hub.example',
    hosts: {
      download: () => {
        throw new Error('begun after the pause');
      },
    },
    network: { ...straightNetwork, [silent]: never },
  });
  service.begin(id);
  await asking;
  await service.pause(id);
  expect(stateOf(service)).toBeNull();
});

test('a cancel deletes what came; a model that is whole stays', async () => {
  bench.hub.behave({ stallAfter: 1_000_000 });
  const service = await bench.downloads();
  service.begin(id);
  await expect.poll(() => hereOf(service)).toBeGreaterThan(0);
  await service.cancel(id);
  expect(stateOf(service)).toBeNull();
  expect(readdirSync(join(bench.profile, 'models'))).toEqual([]);
  bench.hub.behave({});
  service.begin(id);
  await ended(service);
  await service.cancel(id);
  expect(existsSync(bench.path)).toBe(true);
});

test('the next start knows the part, resumes it, and takes in what had become whole', async () => {
  bench.hub.behave({ stallAfter: 1_000_000 });
  const first = await bench.downloads();
  first.begin(id);
  await expect.poll(() => hereOf(first)).toBeGreaterThan(0);
  await first.quit();
  await bench.pool.close(500);
  bench.newPool();
  bench.hub.behave({});
  const second = await bench.downloads();
  expect(stateOf(second)).toMatchObject({ state: 'paused' });
  expect(bench.added).toEqual([]);
  second.begin(id);
  expect(await ended(second)).toEqual(bench.done);
  const third = await bench.downloads();
  expect(stateOf(third)).toEqual(bench.done);
  expect(bench.added).toEqual([bench.path, bench.path]);
});

test('a process that dies is tried again after a second', async () => {
  const clock = new ManualClock();
  bench.hub.behave({ stallAfter: 1_000_000 });
  const service = await bench.downloads(bench.entry(), { clock });
  service.begin(id);
  await expect.poll(() => hereOf(service)).toBeGreaterThan(0);
  await bench.pool.close(0);
  expect(await reached(service, 'waiting', 'paused')).toMatchObject({
    ...{ state: 'waiting', why: { kind: 'died' }, retryAt: clock.wall() + 1_000 },
  });
});

test('a file that the app did not make is never its own', async () => {
  mkdirSync(join(bench.profile, 'models'));
  writeFileSync(join(bench.profile, 'models', 'mine.gguf'), 'GGUF');
  writeFileSync(join(bench.profile, 'models', 'other.gguf'), 'GGUF');
  writeFileSync(join(bench.profile, 'models', 'other.gguf.json'), '{"some": "thing"}');
  const service = await bench.downloads();
  expect(service.owns(join(bench.profile, 'models', 'mine.gguf'))).toBe(false);
  expect(service.owns(join(bench.profile, 'models', 'other.gguf'))).toBe(false);
});

test('what is shown of a running download changes a few times a second at most', async () => {
  bench.hub.behave({ slow: { piece: 60_000, everyMs: 20 } });
  const service = await bench.downloads();
  let times = 0;
  service.changed.on(() => times++);
  const from = performance.now();
  service.begin(id);
  await ended(service);
  expect(times).toBeLessThan(8 + ((performance.now() - from) / 1_000) * 5);
});

test('a process that does not stop when it is told to is ended within the second', async () => {
  const clock = new ManualClock();
  const streams: SimulatedStream[] = [];
  const hosts = {
    download: (job: DownloadJob) => {
      const stream = new SimulatedStream(1 as StreamId, job as unknown as Job);
      stream.onCancel = 'ignore';
      streams.push(stream);
      return stream;
    },
  };
  const service = await bench.downloads(bench.entry(), { clock, hosts });
  service.begin(id);
  await expect.poll(() => streams.length).toBe(1);
  const paused = service.pause(id);
  clock.advance(699);
  expect(streams[0]?.killed).toBe(false);
  clock.advance(1);
  await paused;
  expect(streams[0]?.killed).toBe(true);
  expect(clock.armed).toBe(0);
});
