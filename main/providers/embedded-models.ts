import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { AppError } from '../../shared/errors';
import { NotGguf, readGgufHeader } from '../hosts/process/embedded/gguf-header';

/** Name of the practice model in references: its file moves with every installation, its name does not. */
export const PRACTICE_MODEL = 'practice';

/** Window of an embedded model where the user has chosen none: more costs memory that small machines lack. */
export const DEFAULT_WINDOW = 8_192;

export interface EmbeddedModel {
  /** What references name: the file's path, or PRACTICE_MODEL. */
  readonly model: string;
  readonly path: string;
  readonly name: string;
  readonly trained: number | null;
  readonly bytes: number | null;
  /** Cache of one token in one context, in bytes; null = the file does not tell its sizes. */
  readonly cacheBytesPerToken: number | null;
  readonly practice: boolean;
}

/** Looks at a GGUF file without loading it. Throws AppError `not-a-model-file` or `file-unreadable`. */
export async function inspectFile(path: string, practice: boolean): Promise<EmbeddedModel> {
  try {
    const [{ size }, header] = await Promise.all([stat(path), readGgufHeader(path)]);
    return {
      model: practice ? PRACTICE_MODEL : path,
      path,
      name: practice ? 'Practice model' : basename(path).replace(/\.gguf$/i, ''),
      trained: header.trained,
      bytes: size,
      cacheBytesPerToken: header.cacheBytesPerToken,
      practice,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown';
    const code = error instanceof NotGguf ? 'not-a-model-file' : 'file-unreadable';
    throw new AppError(code, { file: basename(path), reason }, error);
  }
}

/**
 * Threads for llama.cpp: its threads spin at a barrier, so that one too many makes it 100 to 1,000 times slower.
 * One core stays free; from six logical cores on half of them are taken for hyper-threads, which do not help.
 */
export function modelThreads(cores = availableParallelism()): number {
  return Math.max(1, cores > 4 ? Math.floor(cores / 2) : cores - 1);
}
