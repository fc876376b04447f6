import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelRef } from '../../shared/model/ids';
import { Emitter } from '../lib/emitter';
import { madeRegistry } from '../testing/made-registry';
import { startOllamaServer } from '../testing/ollama-server';
import { practiceModelFile } from '../testing/practice-model';
import { SimulatedHost } from '../testing/simulated-host';
import type { Downloads } from './downloads';
import { EMBEDDED } from './embedded-files';
import type { Registry, RegistryOptions } from './registry';
import { removeModel } from './remove-model';

/** What a user does with one model: remove, unload, another window, how long it is kept. */
class Hosts extends SimulatedHost {
  readonly changed = new Emitter<void>();
  readonly unloaded: string[] = [];
  used = false;
  async unload(path: string): Promise<void> {
    this.unloaded.push(path);
  }
  memoryOf() {
    return 'loaded' as const;
  }
  inUse(): boolean {
    return this.used;
  }
}

let hosts: Hosts;
let folder: string;
const file = practiceModelFile();
const ref: ModelRef = { providerId: EMBEDDED, model: file };
const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  hosts = new Hosts();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-verbs-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function registry(over: Partial<RegistryOptions> = {}): Promise<Registry> {
  const made = await madeRegistry({ hosts, ...over });
  await made.addFiles([file]);
  return made;
}
async function withOllama(over: Partial<RegistryOptions> = {}) {
  const server = await startOllamaServer();
  closing.push(server.close);
  const made = await registry(over);
  const provider = await made.add({ kind: 'ollama', name: '', address: server.url, key: null });
  return { made, ollama: { providerId: provider.id, model: 'tiny-echo:latest' } as ModelRef };
}
/** Stands in for the downloads: which files are the app's own, and which it erased. */
function downloads(own: boolean) {
  const erased: string[] = [];
  const alone = (_path: string, work: () => Promise<void>) => work();
  return { erased, downloads: { owns: () => own, alone, erase: async (path: string) => erased.push(path) } };
}
const verbs = (made: Registry, of: ReturnType<typeof downloads>) => ({
  registry: made,
  downloads: of.downloads as unknown as Downloads,
});

test('a downloaded model leaves memory, the list and the disk; a file of the user leaves the first two', async () => {
  for (const own of [true, false]) {
    const made = await registry({ isDownloaded: () => own });
    expect(made.list()[0]?.models).toMatchObject([{ model: file, downloaded: own }]);
    const of = downloads(own);
    await removeModel(verbs(made, of), ref);
    expect(hosts.unloaded.splice(0)).toEqual([file]);
    expect(made.facts(ref)).toBeNull();
    expect(of.erased).toEqual(own ? [file] : []);
  }
});

test('a model that is answering is neither removed nor unloaded', async () => {
  const made = await registry();
  hosts.used = true;
  const of = downloads(true);
  const inUse = expect.objectContaining({ code: 'model-in-use' });
  await expect(removeModel(verbs(made, of), ref)).rejects.toEqual(inUse);
  await expect(made.unload(ref)).rejects.toEqual(inUse);
  expect([hosts.unloaded, of.erased]).toEqual([[], []]);
  expect(made.facts(ref)).not.toBeNull();
});

test('a window that is raised for one model holds for that one alone, and can be taken back', async () => {
  const { made, ollama } = await withOllama();
  await made.setWindow(ollama, 16_384);
  expect(made.facts(ollama)).toMatchObject({ target: { askWindow: 16_384 }, window: { served: 16_384 } });
  expect(made.facts(ref)).toMatchObject({ target: { askWindow: 8_192 } });
  await made.setWindow(ref, 4_096);
  expect(made.facts(ref)).toMatchObject({ target: { askWindow: 4_096 } });
  expect(made.list()[0]?.models).toMatchObject([{ chosenWindow: 4_096 }]);
  await made.setWindow(ref, null);
  expect(made.facts(ref)).toMatchObject({ target: { askWindow: 8_192 } });
});

test('a raised window is never more than the model was trained for', async () => {
  const { made, ollama } = await withOllama();
  await made.setWindow(ollama, 1_000_000);
  expect(made.facts(ollama)).toMatchObject({ target: { askWindow: 32_768 } });
});

test('what was learned of a window does not hold for another one that is asked for', async () => {
  const { made, ollama } = await withOllama();
  made.learnWindow(ollama, 2_048);
  expect(made.facts(ollama)?.window).toMatchObject({ served: 2_048, source: 'learned' });
  await made.setWindow(ollama, 16_384);
  expect(made.facts(ollama)?.window.served).toBe(16_384);
  await made.setWindow(ollama, null);
  expect(made.facts(ollama)?.window.served).toBe(2_048);
});

test('the cache of a token is told by files and by Ollama', async () => {
  const { made, ollama } = await withOllama();
  const modelOf = ({ providerId, model }: ModelRef) =>
    made
      .list()
      .find(({ id }) => id === providerId)
      ?.models.find((one) => one.model === model);
  expect(modelOf(ollama)?.cacheBytesPerToken).toBe(2 * 2 * (64 + 64) * 2);
  expect(modelOf(ref)?.cacheBytesPerToken).toBeGreaterThan(0);
});

test('Ollama is told how long to keep a model, in seconds, or until it is told to let go', async () => {
  let keepMs: number | null = 300_000;
  const { made, ollama } = await withOllama({ keepMs: () => keepMs });
  expect(made.facts(ollama)?.target).toMatchObject({ keepSeconds: 300 });
  keepMs = null;
  expect(made.facts(ollama)?.target).toMatchObject({ keepSeconds: -1 });
});
