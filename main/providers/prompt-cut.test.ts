import { afterEach, expect, test } from 'vitest';
import { madeRegistry } from '../testing/made-registry';
import { type OllamaServerOptions, startOllamaServer } from '../testing/ollama-server';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A registry that knows the one model of an Ollama server. */
async function withOllama(options: OllamaServerOptions) {
  const server = await startOllamaServer(options);
  closing.push(() => server.close());
  const made = await madeRegistry();
  const { id, models } = await made.add({ kind: 'ollama', name: 'Ollama', address: server.url, key: null });
  return { server, made, ref: { providerId: id, model: models[0]?.model ?? '' } };
}

test('S59 S65 a prompt that Ollama has cut in silence proves its window, from what it has loaded or from what was asked', async () => {
  const { server, made, ref } = await withOllama({ most: 4_096, obeysTruncate: false });
  expect(made.facts(ref)?.window).toMatchObject({ served: 8_192, source: 'asked' });
  // nothing is loaded that could tell: half of what was asked for is what was read for certain
  expect(await made.promptCut(ref, 4_098, 7_000)).toBe(4_098);
  expect(made.facts(ref)?.window).toMatchObject({ served: 4_098, source: 'learned' });
  await fetch(`${server.url}/api/generate`, { method: 'POST', body: JSON.stringify({ options: { num_ctx: 8_192 } }) });
  // half of what it has loaded
  expect(await made.promptCut(ref, 2_050, 7_000)).toBe(4_096);
  expect(made.facts(ref)?.window).toMatchObject({ served: 4_096 });
  // a lower count near no cut, or one near our own, teaches nothing
  expect(await made.promptCut(ref, 3_000, 7_000)).toBeNull();
  expect(await made.promptCut(ref, 2_050, 2_300)).toBeNull();
});

test('an Ollama that obeys truncate: false never cuts in silence, whatever its count is near', async () => {
  const { made, ref } = await withOllama({});
  expect(await made.promptCut(ref, 4_098, 7_000)).toBeNull();
});
