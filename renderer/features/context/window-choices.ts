import { CONTEXTS, type MemoryFit, memoryFit, memoryNeeded } from '../../../shared/model/memory';
import type { Model, Provider } from '../../../shared/model/provider';

/** One window that can be asked for. */
export interface WindowChoice {
  readonly tokens: number;
  /** Memory that the model then needs, in bytes; null = its sizes are not known. */
  readonly needsBytes: number | null;
  /** null = not known, or it is another computer's memory. */
  readonly fit: MemoryFit | null;
}

/** Sizes in use: from what small machines bear to what models are trained for. Tokens. */
const SIZES = [4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144];

/** The usual sizes up to what the model was trained for, and that one. */
export function windowChoices(
  provider: Pick<Provider, 'kind' | 'remote'>,
  model: Pick<Model, 'trained' | 'bytes' | 'cacheBytesPerToken'>,
  now: number | null,
  memoryBytes: number,
): WindowChoice[] {
  const most = model.trained ?? SIZES.at(-1) ?? 0;
  const sizes = [...SIZES.filter((size) => size < most), most, ...(now === null ? [] : [now])];
  return [...new Set(sizes)]
    .sort((a, b) => a - b)
    .map((tokens) => {
      const { bytes, cacheBytesPerToken } = model;
      if (bytes === null || cacheBytesPerToken === null) return { tokens, needsBytes: null, fit: null };
      const contexts = provider.kind === 'embedded' ? CONTEXTS.embedded : CONTEXTS.ollama;
      const needsBytes = memoryNeeded({ bytes, cacheBytesPerToken, window: tokens, contexts });
      return { tokens, needsBytes, fit: provider.remote ? null : memoryFit(needsBytes, memoryBytes) };
    });
}
