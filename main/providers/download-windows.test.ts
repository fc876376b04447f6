import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from '../db/instance-lock';
import { DownloadBench, ended, FILE, hereOf, id, stateOf } from '../testing/download-bench';
import type { Downloads } from './downloads';
import { EMBEDDED } from './embedded-files';
import type { Registry } from './registry';
import { removeModel } from './remove-model';

/** Two windows on one profile: two services on one folder, with the lock file that the app uses. */
const bench = DownloadBench.use();
const windowOf = () =>
  bench.downloads(bench.entry(), {
    lock: (name) => {
      const held = lockFile(join(bench.profile, `${name}.lock`));
      return held && { release: () => held.release(false) };
    },
  });
const here = () => ['', '.part', '.json'].filter((suffix) => existsSync(bench.path + suffix));

/** Gets some of the file here and leaves the server silent. */
async function begun(service: Downloads): Promise<void> {
  bench.hub.behave({ stallAfter: 1_000_000 });
  service.begin(id);
  await expect.poll(() => hereOf(service)).toBeGreaterThan(0);
}

test('a cancel in one window keeps what another window has finished meanwhile, and takes it in', async () => {
  const first = await windowOf();
  await begun(first);
  await first.pause(id);
  const second = await windowOf();
  expect(stateOf(second)).toMatchObject({ state: 'paused' });
  bench.hub.behave({});
  first.begin(id);
  expect(await ended(first)).toEqual(bench.done);
  await second.cancel(id);
  expect(here()).toEqual(['', '.json']);
  expect(readFileSync(bench.path).equals(FILE)).toBe(true);
  expect(stateOf(second)).toEqual(bench.done);
  expect(second.owns(bench.path)).toBe(true);
  expect(bench.added).toEqual([bench.path, bench.path]);
});

test('a cancel in one window leaves what another window downloads, and says so', async () => {
  const first = await windowOf();
  await begun(first);
  await first.pause(id);
  const second = await windowOf();
  await begun(first);
  const had = statSync(`${bench.path}.part`).size;
  await second.cancel(id);
  expect(stateOf(second)).toMatchObject({ state: 'failed', of: FILE.length, why: { kind: 'elsewhere' } });
  expect(hereOf(second)).toBeGreaterThan(0);
  expect(here()).toEqual(['.part', '.json']);
  expect(statSync(`${bench.path}.part`).size).toBeGreaterThanOrEqual(had);
  await first.pause(id);
  await second.cancel(id);
  expect(stateOf(second)).toBeNull();
  expect(here()).toEqual([]);
});

test.each([
  ['empty', ''],
  ['not the app’s', '{"some": "thing"}'],
])(
  'a cancel never deletes a file that has its name already, even where the record beside it is %s',
  async (_, record) => {
    const first = await windowOf();
    await begun(first);
    await first.pause(id);
    const second = await windowOf();
    bench.hub.behave({});
    first.begin(id);
    expect(await ended(first)).toEqual(bench.done);
    writeFileSync(`${bench.path}.json`, record);
    await second.cancel(id);
    expect(here()).toEqual(['', '.json']);
    expect(stateOf(second)).toBeNull();
  },
);

test('a model is not removed while another window downloads it anew', async () => {
  const first = await windowOf();
  first.begin(id);
  await ended(first);
  const second = await windowOf();
  await first.erase(bench.path);
  await begun(first);
  const removed: string[] = [];
  const registry = {
    removeModel: async ({ model }: { model: string }) => {
      removed.push(model);
      return model;
    },
  } as unknown as Registry;
  const remove = () => removeModel({ registry, downloads: second }, { providerId: EMBEDDED, model: bench.path });
  await expect(remove()).rejects.toMatchObject({ code: 'model-downloading', fields: { model: 'M' } });
  expect([removed, here()]).toEqual([[], ['.part', '.json']]);
  bench.hub.behave({});
  await first.pause(id);
  first.begin(id);
  await ended(first);
  await remove();
  expect([removed, here()]).toEqual([[bench.path], []]);
});
