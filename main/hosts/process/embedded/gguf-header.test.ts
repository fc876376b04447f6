import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NotGguf, readGgufHeader } from './gguf-header';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
});
afterAll(() => rm(folder, { recursive: true }));
async function written(bytes: Uint8Array): Promise<string> {
  const file = join(folder, 'x.gguf');
  await writeFile(file, bytes);
  return file;
}

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const str = (text: string) => Buffer.concat([u64(Buffer.byteLength(text)), Buffer.from(text)]);
const head = (keys: number, version = 3) => Buffer.concat([Buffer.from('GGUF'), u32(version), u64(0), u64(keys)]);
const ARCHITECTURE = Buffer.concat([str('general.architecture'), u32(8), str('qwen')]);
const TRAINED = Buffer.concat([str('qwen.context_length'), u32(4), u32(40_960)]);

test('values of every kind are passed over, also those larger than one read', async () => {
  const numbers = Buffer.concat([str('a'), u32(9), u32(6), u64(50_000), Buffer.alloc(200_000)]);
  const texts = Buffer.concat([
    str('b'),
    u32(9),
    u32(8),
    u64(30_000),
    ...Array.from({ length: 30_000 }, (_, i) => str(`t${i}`)),
  ]);
  const flag = Buffer.concat([str('c'), u32(7), Buffer.of(1)]);
  const file = await written(Buffer.concat([head(5), ARCHITECTURE, numbers, texts, flag, TRAINED]));
  expect(await readGgufHeader(file)).toEqual({
    name: null,
    architecture: 'qwen',
    trained: 40_960,
    cacheBytesPerToken: null,
  });
});

const key = (name: string, value: number) => Buffer.concat([str(`qwen.${name}`), u32(4), u32(value)]);
const cacheOf = async (...keys: readonly Buffer[]) =>
  (await readGgufHeader(await written(Buffer.concat([head(keys.length + 1), ARCHITECTURE, ...keys]))))
    .cacheBytesPerToken;

test('the cache of a token is told by layers, kept heads and their lengths', async () => {
  const shape = [key('block_count', 36), key('attention.head_count', 32), key('embedding_length', 2_560)];
  expect(await cacheOf(...shape)).toBe(36 * 32 * (80 + 80) * 2);
  expect(await cacheOf(...shape, key('attention.head_count_kv', 8))).toBe(36 * 8 * (80 + 80) * 2);
  const lengths = [key('attention.key_length', 128), key('attention.value_length', 64)];
  expect(await cacheOf(...shape, key('attention.head_count_kv', 8), ...lengths)).toBe(36 * 8 * (128 + 64) * 2);
  expect(await cacheOf(key('block_count', 36))).toBeNull();
});

test('layers that keep different numbers of heads are told by their mean', async () => {
  const kept = Buffer.concat([str('qwen.attention.head_count_kv'), u32(9), u32(4), u64(4), ...[2, 4, 2, 4].map(u32)]);
  const shape = [key('block_count', 4), key('attention.head_count', 8), key('embedding_length', 512)];
  expect(await cacheOf(...shape, kept)).toBe(4 * 3 * (64 + 64) * 2);
});

test.each([
  ['another kind of file', Buffer.from('PK\u0003\u0004 and so on')],
  ['an empty one', Buffer.alloc(0)],
  ['an unknown version', head(0, 77)],
  ['a count that is garbage', Buffer.concat([Buffer.from('GGUF'), u32(3), u64(0), u64(2 ** 52)])],
  ['a text longer than the file', Buffer.concat([head(1), u64(1_000), Buffer.from('short')])],
  ['a head that ends too early', Buffer.concat([head(2), ARCHITECTURE])],
  ['a value of no known type', Buffer.concat([head(1), str('a'), u32(99)])],
])('%s is no model', async (_name, bytes) => {
  await expect(readGgufHeader(await written(bytes))).rejects.toBeInstanceOf(NotGguf);
});

test('a file cut off anywhere in its head is refused, never read for ever', async () => {
  const whole = Buffer.concat([head(2), ARCHITECTURE, TRAINED]);
  for (let length = 0; length < whole.length; length++) {
    await expect(readGgufHeader(await written(whole.subarray(0, length)))).rejects.toBeInstanceOf(NotGguf);
  }
});
