import { type FileHandle, open } from 'node:fs/promises';
import { attentionShape, cacheBytes } from '../../../../shared/model/memory';

/** What the head of a GGUF file tells without loading it. Layout: ggml-org/ggml, docs/gguf.md. */
export interface GgufHeader {
  readonly name: string | null;
  readonly architecture: string | null;
  /** Tokens it was trained for. */
  readonly trained: number | null;
  /** Cache of one token in one context, in bytes; null = the head does not tell its sizes. */
  readonly cacheBytesPerToken: number | null;
}

export class NotGguf extends Error {
  override readonly name = 'NotGguf';
}

/** Versions that llama.cpp reads. */
const VERSIONS: readonly number[] = [2, 3];
/** No real file has more tensors or keys than this: beyond it the counts are garbage. */
const MOST = 1_000_000;
/** The keys wanted stand before the vocabulary; a head without them this far in does not have them. */
const READ_MAX = 64_000_000;
const CHUNK = 65_536;

/** Sizes in bytes of the value types 0 to 12; 0 = of variable length. */
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];
/** Most numbers of one array that are read: one for each layer. */
const LAYERS_MAX = 4_096;
/** Here begins the vocabulary; what is wanted stands before it. */
const VOCABULARY = 'tokenizer.';
const STRING = 8;
const ARRAY = 9;
const FLOAT = 6;

/** Reads name, architecture, trained window and the sizes of the cache. Throws NotGguf, or the file system's own error. */
export async function readGgufHeader(path: string): Promise<GgufHeader> {
  const file = await open(path, 'r');
  try {
    return await new Reader(file).header();
  } finally {
    await file.close();
  }
}

class Reader {
  readonly #file: FileHandle;
  #buffer = Buffer.alloc(0);
  #start = 0;
  #at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async header(): Promise<GgufHeader> {
    if ((await this.#bytes(4)).toString('latin1') !== 'GGUF') throw new NotGguf('it does not begin with GGUF');
    const version = (await this.#bytes(4)).readUInt32LE();
    if (!VERSIONS.includes(version)) throw new NotGguf(`version ${version} is not known`);
    await this.#count('tensors');
    const keys = await this.#count('keys');
    let name: string | null = null;
    let architecture: string | null = null;
    const numbers = new Map<string, number>();
    for (let i = 0; i < keys && this.#at < READ_MAX; i++) {
      const key = await this.#string();
      // some files have their sizes behind it
      if (key.startsWith(VOCABULARY) && name !== null && numbers.has(`${architecture}.context_length`)) break;
      const type = (await this.#bytes(4)).readUInt32LE();
      if (key === 'general.name' && type === STRING) name = await this.#string();
      else if (key === 'general.architecture' && type === STRING) architecture = await this.#string();
      else if (architecture !== null && key.startsWith(`${architecture}.`)) {
        const value = await this.#number(type);
        if (value !== null) numbers.set(key, value);
      } else await this.#skip(type);
    }
    const numberOf = (of: string) => numbers.get(`${architecture}.${of}`) ?? null;
    const shape = attentionShape(numberOf);
    const cacheBytesPerToken = shape && cacheBytes(shape);
    return { name, architecture, trained: numberOf('context_length'), cacheBytesPerToken };
  }

  async #count(what: string): Promise<number> {
    const count = (await this.#bytes(8)).readBigUInt64LE();
    if (count > MOST) throw new NotGguf(`${count} ${what}`);
    return Number(count);
  }

  async #string(): Promise<string> {
    const length = (await this.#bytes(8)).readBigUInt64LE();
    if (length > READ_MAX) throw new NotGguf(`a text of ${length} bytes`);
    return (await this.#bytes(Number(length))).toString('utf8');
  }

  /** A whole number above zero, or the mean of a short row of them; null = it is something else. */
  async #number(type: number): Promise<number | null> {
    if (type === ARRAY) return this.#mean();
    const size = type === FLOAT ? undefined : SIZES[type];
    if (size !== 4 && size !== 8) {
      await this.#skip(type);
      return null;
    }
    const bytes = await this.#bytes(size);
    const value = size === 4 ? bytes.readUInt32LE() : Number(bytes.readBigUInt64LE());
    return value > 0 && value <= 1e9 ? value : null;
  }

  async #mean(): Promise<number | null> {
    const inner = (await this.#bytes(4)).readUInt32LE();
    const length = Number((await this.#bytes(8)).readBigUInt64LE());
    const isWhole = inner === 4 || inner === 5;
    if (!isWhole || length > LAYERS_MAX) {
      await this.#skipRow(inner, length);
      return null;
    }
    let sum = 0;
    for (let i = 0; i < length; i++) sum += (await this.#bytes(4)).readUInt32LE();
    return length > 0 && sum > 0 ? sum / length : null;
  }

  async #skip(type: number): Promise<void> {
    if (type === STRING) {
      await this.#string();
      return;
    }
    if (type !== ARRAY) {
      this.#jump(sizeOf(type));
      return;
    }
    const inner = (await this.#bytes(4)).readUInt32LE();
    await this.#skipRow(inner, Number((await this.#bytes(8)).readBigUInt64LE()));
  }

  async #skipRow(inner: number, length: number): Promise<void> {
    if (inner === STRING || inner === ARRAY) {
      if (length > MOST * 10) throw new NotGguf(`an array of ${length}`);
      for (let i = 0; i < length && this.#at < READ_MAX; i++) await this.#skip(inner);
    } else this.#jump(sizeOf(inner) * length);
  }

  #jump(bytes: number): void {
    this.#at += bytes;
  }

  async #bytes(length: number): Promise<Buffer> {
    const from = this.#at - this.#start;
    if (from >= 0 && from + length <= this.#buffer.length) {
      this.#at += length;
      return this.#buffer.subarray(from, from + length);
    }
    const wanted = Math.max(length, CHUNK);
    const { bytesRead, buffer } = await this.#file.read(Buffer.alloc(wanted), 0, wanted, this.#at);
    if (bytesRead < length) throw new NotGguf('it ends too early');
    this.#start = this.#at;
    this.#buffer = buffer.subarray(0, bytesRead);
    this.#at += length;
    return this.#buffer.subarray(0, length);
  }
}

function sizeOf(type: number): number {
  const size = SIZES[type];
  if (size === undefined) throw new NotGguf(`a value of type ${type}`);
  return size;
}
