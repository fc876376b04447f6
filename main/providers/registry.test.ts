import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../shared/errors';
import type { ModelRef, ProviderId } from '../../shared/model/ids';
import type { Provider } from '../../shared/model/provider';
import { countChars } from '../lib/char-counts';
import { Emitter } from '../lib/emitter';
import { sendJson, startHttpServer } from '../testing/http-server';
import { madeRegistry } from '../testing/made-registry';
import { ManualClock } from '../testing/manual-clock';
import { MemoryProviders } from '../testing/memory-providers';
import { startOllamaServer } from '../testing/ollama-server';
import { practiceModelFile } from '../testing/practice-model';
import { startScriptedServer } from '../testing/scripted-server';
import { SimulatedHost } from '../testing/simulated-host';
import { straightNetwork } from '../testing/straight-network';
import type { Candidate } from './discovery';
import { EMBEDDED } from './embedded-files';
import type { Registry, RegistryOptions } from './registry';

class Hosts extends SimulatedHost {
  readonly held = new Set<string>();
  readonly changed = new Emitter<void>();
  readonly used = new Set<string>();
  async unload(path: string): Promise<void> {
    this.held.delete(path);
  }
  inUse(path: string): boolean {
    return this.used.has(path);
  }
  memoryOf(path: string) {
    return this.held.has(path) ? 'loaded' : 'not-loaded';
  }
}

const closing: (() => unknown)[] = [];
let store: MemoryProviders;
let hosts: Hosts;
beforeEach(() => {
  store = new MemoryProviders();
  hosts = new Hosts();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const registry = (over: Partial<RegistryOptions> = {}) =>
  madeRegistry({ ...store, hosts, practiceFile: practiceModelFile(), ...over });
async function serve<T extends { close: () => Promise<void> }>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  closing.push(server.close);
  return server;
}
const port = (url: string) => Number(new URL(url).port);
const code = (error: unknown) => (error instanceof AppError ? error.code : error);
const practice: ModelRef = { providerId: EMBEDDED, model: 'practice' };
const modelOf = (provider: Provider | undefined) => provider?.models[0];
const add = (made: Registry, kind: 'ollama' | 'openai', address: string, key: string | null = null) =>
  made.add({ kind, name: '', address, key });

test('a fresh machine has the practice model, which chats and does not summarize', async () => {
  const made = await registry();
  expect(made.defaultModel()).toEqual(practice);
  expect(made.facts(practice)).toMatchObject({
    name: 'Practice model',
    canSummarize: false,
    remote: false,
    countsExactly: true,
    oneAtATime: true,
    window: { served: 8_192, trained: 8_192, source: 'asked' },
    target: { kind: 'embedded', askWindow: 8_192, threads: 1, greedy: true },
  });
  expect(modelOf(made.list()[0])).toMatchObject({ model: 'practice', practice: true, state: 'not-loaded' });
});

test('which models see is what their servers say of them; one that says nothing is taken not to', async () => {
  const ollama = await serve(startOllamaServer({ sees: true }));
  const rows = [
    { id: 'one', architecture: { input_modalities: ['text', 'image'] } },
    { id: 'two', capabilities: { vision: true } },
    { id: 'three' },
  ];
  const list = await serve(
    startHttpServer((entry, response) =>
      entry.path === '/v1/models' ? sendJson(response, 200, { data: rows }) : sendJson(response, 404, {}),
    ),
  );
  const made = await registry();
  const native = await made.add({ kind: 'ollama', name: 'Ollama', address: ollama.url, key: null });
  const other = await made.add({ kind: 'openai', name: 'Other', address: `${list.url}/v1`, key: null });
  expect(native.models.map(({ sees }) => sees)).toEqual([true]);
  expect(other.models.map(({ model, sees }) => [model, sees])).toEqual([
    ['one', true],
    ['two', true],
    ['three', false],
  ]);
  expect(made.facts({ providerId: other.id, model: 'two' })?.sees).toBe(true);
  expect(made.facts(practice)?.sees).toBe(false);
});

test('local servers are found on their ports by themselves, by what they are; a wrong one is not', async () => {
  const ollama = await serve(startOllamaServer());
  const llama = await serve(startScriptedServer({ window: 16_384, trained: 262_144 }));
  const other = await serve(startHttpServer((_entry, response) => sendJson(response, 200, { hello: 'world' })));
  const candidates: Candidate[] = [
    { kind: 'ollama', port: port(ollama.url), name: 'Ollama' },
    { kind: 'openai', port: port(llama.url), name: 'vLLM' },
    { kind: 'openai', port: port(other.url), name: 'Jan' },
    { kind: 'openai', port: 1, name: 'nobody' },
  ];
  const made = await registry({ candidates });
  await made.test(null);
  const found = made.list().filter(({ origin }) => origin === 'found');
  expect(new Map(found.map(({ name, state }) => [name, state.kind]))).toEqual(
    new Map([
      ['Ollama', 'ready'],
      ['llama.cpp', 'ready'],
    ]),
  );
  expect(modelOf(found.find(({ name }) => name === 'llama.cpp'))).toMatchObject({
    served: 16_384,
    trained: 262_144,
    state: 'loaded',
  });
  // The next start knows them before anything has answered, under the same ids.
  const again = await registry({ candidates: [] });
  expect(again.list().map(({ id }) => id)).toEqual(made.list().map(({ id }) => id));
  await again.test(null);
  expect(again.list().filter(({ origin }) => origin === 'found')).toHaveLength(2);
});

test('a found server that the user removes stays away', async () => {
  const server = await serve(startScriptedServer());
  const candidates: Candidate[] = [{ kind: 'openai', port: port(server.url), name: 'vLLM' }];
  const made = await registry({ candidates });
  await made.test(null);
  made.remove(made.list().find(({ origin }) => origin === 'found')?.id as ProviderId);
  await made.test(null);
  expect(made.list()).toHaveLength(1);
});

test('a server added by address is not found a second time', async () => {
  const server = await serve(startScriptedServer());
  const made = await registry({ candidates: [{ kind: 'openai', port: port(server.url), name: 'vLLM' }] });
  await add(made, 'openai', `http://localhost:${port(server.url)}`);
  await made.test(null);
  expect(made.list()).toHaveLength(2);
});

test('S61 Ollama: the window is the least of what is asked and what it says; asking for more raises it', async () => {
  const server = await serve(startOllamaServer({ most: 4_096, trained: 32_768 }));
  const made = await registry();
  const { id } = await add(made, 'ollama', server.url);
  const ref = { providerId: id, model: 'tiny-echo:latest' };
  expect(made.facts(ref)).toMatchObject({ window: { served: 8_192, trained: 32_768, source: 'asked' } });
  // A request loads it; the server gives less than was asked.
  await fetch(`${server.url}/api/generate`, {
    method: 'POST',
    body: '{"model":"tiny-echo","options":{"num_ctx":8192}}',
  });
  await made.test(id);
  expect(made.facts(ref)).toMatchObject({ window: { served: 4_096, source: 'server' } });
  await made.change(id, { askWindow: 2_048 });
  expect(made.facts(ref)).toMatchObject({ window: { served: 2_048, source: 'asked' }, target: { askWindow: 2_048 } });
});

test('S62 llama.cpp serves 16k of a model trained for 262k: what it serves is the window, however it is asked', async () => {
  const server = await serve(startScriptedServer({ window: 16_384, trained: 262_144 }));
  const made = await registry();
  const { id } = await add(made, 'openai', server.address);
  const ref = { providerId: id, model: 'scripted' };
  const served = { window: { served: 16_384, trained: 262_144, source: 'server' } };
  expect(made.facts(ref)).toMatchObject(served);
  await made.change(id, { askWindow: 262_144 });
  expect(made.facts(ref)).toMatchObject(served);
});

test('after an answer Ollama is asked what it has loaded', async () => {
  const server = await serve(startOllamaServer({ most: 4_096 }));
  const made = await registry();
  const { id } = await add(made, 'ollama', server.url);
  const ref = { providerId: id, model: 'tiny-echo:latest' };
  await fetch(`${server.url}/api/generate`, {
    method: 'POST',
    body: '{"model":"tiny-echo","options":{"num_ctx":8192}}',
  });
  const changed = new Promise<void>((resolve) => {
    made.changed.on(() => made.facts(ref)?.window.served === 4_096 && resolve());
  });
  made.reported(ref, countChars('hello'), 1, 6, {});
  await changed;
});

test('LM Studio and vLLM tell their windows in their own ways', async () => {
  const studio = await serve(
    startHttpServer((entry, response) => {
      if (entry.path === '/v1/models') return sendJson(response, 200, { data: [{ id: 'a' }, { id: 'b' }] });
      const a = { id: 'a', type: 'llm', state: 'loaded', loaded_context_length: 4_096, max_context_length: 131_072 };
      const b = { id: 'b', type: 'llm', state: 'not-loaded', max_context_length: 8_192 };
      sendJson(response, 200, { data: [a, b, { id: 'e', type: 'embeddings' }] });
    }),
  );
  const vllm = await serve(
    startHttpServer((_entry, response) =>
      sendJson(response, 200, { data: [{ id: 'm', owned_by: 'vllm', max_model_len: 32_768 }, { id: 'text-embed' }] }),
    ),
  );
  const made = await registry();
  expect((await add(made, 'openai', studio.url)).models).toMatchObject([
    { model: 'a', state: 'loaded', served: 4_096, trained: 131_072 },
    { model: 'b', state: 'not-loaded', served: null, trained: 8_192 },
  ]);
  expect((await add(made, 'openai', vllm.url)).models).toMatchObject([{ model: 'm', served: 32_768 }]);
});

test('a server that is away is offline, its models still have facts, and a session may name them', async () => {
  const server = await serve(startScriptedServer());
  const made = await registry();
  const { id } = await add(made, 'openai', server.address);
  await server.close();
  await made.test(id);
  expect(made.list()[1]?.state).toEqual({ kind: 'offline', nextTryAt: null });
  expect(made.facts({ providerId: id, model: 'scripted' })?.target).toMatchObject({
    kind: 'openai',
    llamaServer: true,
  });
  expect(made.defaultModel()).toEqual(practice);
});

test('a model that a server no longer lists has no facts', async () => {
  const server = await serve(startScriptedServer());
  const made = await registry();
  const { id } = await add(made, 'openai', server.address);
  expect(made.facts({ providerId: id, model: 'gone' })).toBeNull();
  made.remove(id);
  expect(made.facts({ providerId: id, model: 'scripted' })).toBeNull();
});

test('a key is stored as a secret only, sent with each question, and does not follow to another server', async () => {
  const server = await serve(startScriptedServer({ key: 'sk-secret' }));
  const other = await serve(startScriptedServer());
  const made = await registry();
  const { id } = await add(made, 'openai', server.address, 'wrong');
  expect(made.list()[1]?.state).toMatchObject({ kind: 'refused', code: 'refused-by-server', fields: { status: 401 } });
  const changed = await made.change(id, { key: 'sk-secret' });
  expect(changed).toMatchObject({ hasKey: true, state: { kind: 'ready' } });
  expect(JSON.stringify([...store.stored.values(), made.list()])).not.toContain('sk-secret');
  expect(made.facts({ providerId: id, model: 'scripted' })?.target).toMatchObject({ key: 'sk-secret' });
  const moved = await made.change(id, { address: other.address });
  expect(moved.hasKey).toBe(false);
  expect(other.journal[0]?.headers.authorization).toBeUndefined();
});

test('a key for a plain-http server elsewhere is refused before anything is stored', async () => {
  const made = await registry();
  await expect(add(made, 'openai', 'http://192.0.2.1/v1', 'sk')).rejects.toSatisfy(
    (e) => code(e) === 'insecure-address',
  );
  expect(made.list()).toHaveLength(1);
  expect(store.secrets.size).toBe(0);
});

test('a redirect is not followed when asking', async () => {
  const other = await serve(startScriptedServer());
  const first = await serve(
    startHttpServer((_entry, response) => {
      response.writeHead(302, { location: `${other.address}/models` });
      response.end();
    }),
  );
  const made = await registry();
  expect((await add(made, 'openai', first.url)).state.kind).toBe('refused');
  expect(other.journal).toHaveLength(0);
});

test('a server that does not answer is given up after 1.5 s', async () => {
  const silent = await serve(startHttpServer(() => {}));
  const clock = new ManualClock();
  const made = await registry({ clock });
  const adding = add(made, 'openai', silent.url);
  await silent.asked('/models');
  clock.advance(1_500);
  expect((await adding).state.kind).toBe('offline');
});

test('nothing is chosen by itself that would send text away', async () => {
  const reply = async () => Response.json({ data: [{ id: 'm', context_length: 8_192 }] });
  const answers = { ...straightNetwork, fetch: reply };
  const made = await registry({ network: answers });
  const remote = await add(made, 'openai', 'https://models.example/v1', 'sk');
  expect(remote).toMatchObject({ remote: true, state: { kind: 'ready' } });
  expect(made.defaultModel()).toEqual(practice);
  const chosen = { providerId: remote.id, model: 'm' };
  const willing = await registry({ network: answers, chosenDefault: () => chosen });
  expect(willing.defaultModel()).toEqual(chosen);
  expect(willing.facts(chosen)?.remote).toBe(true);
});

test('a learned window holds over a restart, until the server reports another or the model is loaded anew', async () => {
  let window = 8_192;
  const server = await serve(
    startHttpServer((_entry, response) =>
      sendJson(response, 200, { data: [{ id: 'm', owned_by: 'vllm', max_model_len: window }] }),
    ),
  );
  const made = await registry();
  const { id } = await add(made, 'openai', server.url);
  const ref = { providerId: id, model: 'm' };
  made.learnWindow(ref, 4_096);
  expect(made.facts(ref)?.window).toMatchObject({ served: 4_096, source: 'learned' });
  const again = await registry();
  await again.test(id);
  expect(again.facts(ref)?.window).toMatchObject({ served: 4_096, source: 'learned' });
  window = 16_384;
  await again.test(id);
  expect(again.facts(ref)?.window).toMatchObject({ served: 16_384, source: 'server' });
});

test('reported usage calibrates the rates of that model alone, and they outlive a restart', async () => {
  const made = await registry();
  const { id } = await add(made, 'openai', 'http://127.0.0.1:1');
  const ref = { providerId: id, model: 'm' };
  const sent = countChars('The quick brown fox jumps over the lazy dog. '.repeat(200));
  for (let i = 0; i < 10; i++) made.reported(ref, sent, 1, 2_004, { prefill: 300, decode: 20 });
  const rates = (await registry()).facts(ref);
  expect(rates?.rates.calibrated).toBe(true);
  expect(rates?.rates.ascii).toBeCloseTo(2_000 / sent.ascii, 2);
  expect(rates?.prefillRate).toBe(300);
  expect(made.facts({ providerId: id, model: 'n' })?.rates.calibrated).toBe(false);
});

test('an exact count is asked of the host and not waited for beyond 2 s', async () => {
  const clock = new ManualClock();
  const made = await registry({ clock });
  const messages = [{ role: 'user' as const, content: 'hi' }];
  const counted = made.count(practice, messages);
  hosts.last.settle({ t: 'result', value: { tokens: 7 }, finish: 'stop' });
  expect(await counted).toBe(7);
  const late = made.count(practice, messages);
  hosts.last.onCancel = 'ignore';
  clock.advance(2_000);
  expect(await late).toBeNull();
  expect(hosts.last.cancels).toEqual(['idle']);
});

test('GGUF files are added once, kept over a restart, refused when they are none, and taken off the list', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
  closing.push(() => rm(folder, { recursive: true }));
  const bad = join(folder, 'bad.gguf');
  await writeFile(bad, 'no model');
  const made = await registry({ practiceFile: null });
  const file = practiceModelFile();
  await expect(made.addFiles([bad])).rejects.toSatisfy((e) => code(e) === 'not-a-model-file');
  await expect(made.addFiles([join(folder, 'none')])).rejects.toSatisfy((e) => code(e) === 'file-unreadable');
  expect(await made.addFiles([file, file])).toBe(1);
  expect(await made.addFiles([file])).toBe(0);
  const again = await registry({ practiceFile: null });
  const ref = { providerId: EMBEDDED, model: file };
  expect(again.facts(ref)).toMatchObject({ canSummarize: true, window: { served: 8_192, trained: 8_192 } });
  expect(again.defaultModel()).toEqual(ref);
  let told = 0;
  again.changed.on(() => told++);
  hosts.held.add(file);
  hosts.changed.emit();
  hosts.changed.emit();
  expect(told).toBe(1);
  expect(modelOf(again.list()[0])?.state).toBe('loaded');
  expect(await again.removeModel(ref)).toBe(file);
  expect(hosts.memoryOf(file)).toBe('not-loaded');
  expect(again.facts(ref)).toBeNull();
});

test('loading is shown while it lasts, and a failure has its reason', async () => {
  const made = await registry();
  const loading = made.load(practice);
  expect(modelOf(made.list()[0])?.state).toBe('loading');
  hosts.last.settle({ t: 'failed', kind: 'died', cause: 'load', name: 'Error', message: 'Failed to load', fields: {} });
  await expect(loading).rejects.toSatisfy((e) => code(e) === 'not-a-model-file');
  expect(modelOf(made.list()[0])?.state).toBe('not-loaded');
});
