/** One model as its server describes it. */
export interface AskedModel {
  readonly model: string;
  readonly name: string;
  readonly state: 'loaded' | 'not-loaded' | 'unknown';
  /** The window the server says it gives; null = it does not say, or the model is not loaded. */
  readonly reported: number | null;
  readonly trained: number | null;
  readonly bytes: number | null;
  /** Cache of one token in one context, in bytes; null = it does not tell its sizes. */
  readonly cacheBytesPerToken: number | null;
  /** Requests that it works on at once; null = it does not say. */
  readonly parallel: number | null;
  /** True where it may be given tools: by the server's word, else until it refuses them. */
  readonly tools: boolean;
  /** True where it says that it takes pictures. */
  readonly sees: boolean;
}

export type Flavor = 'ollama' | 'llama.cpp' | 'lm-studio' | 'vllm' | 'jan' | 'other';

export interface AskedServer {
  readonly flavor: Flavor;
  /** True where it is known to refuse a prompt longer than its window, as requests ask: it never cuts one in silence. */
  readonly refusesLong: boolean;
  readonly models: readonly AskedModel[];
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(record) : [];
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A whole number of tokens or bytes, above zero. */
export function whole(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
