/**
 * How much memory a model takes. Measured with llama.cpp on a processor (596 M parameters, 28 layers, Q4_0): per context
 * of 8,192 tokens 903 MiB and of 32,768 tokens 3,591 MiB, which is its cache to within 1 %; the weights stand once in
 * memory beside what of the file the system keeps and can drop.
 */

/** The buffers for work, the vocabulary and the process itself, in bytes. */
const WORK_BYTES = 250_000_000;
/** A model inside the app has one context for chats, and a second one while it writes a summary. */
export const CONTEXTS = { embedded: 2, ollama: 1 } as const;
/** Shares of the whole memory: up to the first nothing else suffers, beyond the second it cannot be loaded. */
const FITS = 0.6;
const TIGHT = 0.85;

export interface MemoryAsk {
  /** Size of the weights: the file's. */
  readonly bytes: number;
  /** Cache of one token in one context, in bytes. */
  readonly cacheBytesPerToken: number;
  readonly window: number;
  readonly contexts: number;
}

/** Bytes that a model with this window needs at most. */
export function memoryNeeded({ bytes, cacheBytesPerToken, window, contexts }: MemoryAsk): number {
  return bytes + cacheBytesPerToken * window * contexts + WORK_BYTES;
}

/** Sizes of a model's attention, as its file or its server tells them. */
export interface AttentionShape {
  readonly layers: number;
  /** Heads that are kept in the cache; their mean where layers differ. */
  readonly kvHeads: number;
  readonly keyLength: number;
  readonly valueLength: number;
}

/**
 * The sizes by the names that GGUF files and Ollama give them, without the architecture's. null where one is missing
 * without which the rest says nothing.
 */
export function attentionShape(sizeOf: (name: string) => number | null): AttentionShape | null {
  const layers = sizeOf('block_count');
  const heads = sizeOf('attention.head_count');
  const kvHeads = sizeOf('attention.head_count_kv') ?? heads;
  const embedding = sizeOf('embedding_length');
  const usual = embedding !== null && heads !== null ? embedding / heads : null;
  const keyLength = sizeOf('attention.key_length') ?? usual;
  const valueLength = sizeOf('attention.value_length') ?? usual;
  if (layers === null || kvHeads === null || keyLength === null || valueLength === null) return null;
  return { layers, kvHeads, keyLength, valueLength };
}

/** Bytes of cache for one token: key and value of each layer in 16 bits. Models with sliding windows take less. */
export function cacheBytes({ layers, kvHeads, keyLength, valueLength }: AttentionShape): number {
  return Math.ceil(layers * kvHeads * (keyLength + valueLength) * 2);
}

export type MemoryFit = 'fits' | 'tight' | 'too-large';

/** Whether it has room in a machine with so much memory, in bytes. */
export function memoryFit(needBytes: number, machineBytes: number): MemoryFit {
  if (needBytes <= machineBytes * FITS) return 'fits';
  return needBytes <= machineBytes * TIGHT ? 'tight' : 'too-large';
}
