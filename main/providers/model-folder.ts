import { mkdir, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CatalogueEntry, Pin } from './catalogue';

/** What a download writes beside its file; it is also the proof that the app made the file. */
const recordSchema = z.object({
  id: z.string(),
  revision: z.string(),
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What is here of one entry. */
export type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'part'; readonly have: number; readonly pin: Pin }
  | { readonly kind: 'whole'; readonly path: string; readonly pin: Pin };

/** The profile's folder of downloaded models: `NAME.gguf`, while it comes `NAME.gguf.part`, and `NAME.gguf.json`. */
export class ModelFolder {
  readonly folder: string;
  readonly #own = new Set<string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Learns which files are the app's own. The folder need not exist. */
  async scan(): Promise<void> {
    const names = new Set(await readdir(this.folder).catch(() => []));
    for (const name of names) {
      if (!names.has(`${name}.json`)) continue;
      const path = join(this.folder, name);
      if (await readRecord(path)) this.#own.add(path);
    }
  }

  /** True for a file that the app downloaded, and may therefore delete. */
  owns(path: string): boolean {
    return this.#own.has(path);
  }

  pathOf({ file }: CatalogueEntry): string {
    return join(this.folder, file);
  }

  async look(entry: CatalogueEntry): Promise<Found> {
    const path = this.pathOf(entry);
    const record = await readRecord(path);
    if (!record || record.id !== entry.id) return { kind: 'nothing' };
    const { revision, bytes, sha256 } = record;
    const pin = { revision, bytes, sha256 };
    if ((await sizeOf(path)) === bytes) return { kind: 'whole', path, pin };
    const have = await sizeOf(`${path}.part`);
    return have === null ? { kind: 'nothing' } : { kind: 'part', have: Math.min(have, bytes), pin };
  }

  async make(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }

  /** Bytes that this user can still write there. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder);
    return bavail * bsize;
  }

  arrived(path: string): void {
    this.#own.add(path);
  }

  /** Deletes what has arrived of a file, never the file: the record goes only where nothing has its name. */
  async discard(path: string): Promise<void> {
    for (const suffix of ['.part', '.json.new']) await rm(`${path}${suffix}`, { force: true });
    if ((await sizeOf(path)) === null) await rm(`${path}.json`, { force: true });
  }

  /** Deletes a file of the app, whole or in part. Throws what the file system throws. */
  async erase(path: string): Promise<void> {
    for (const suffix of ['', '.part', '.json', '.json.new']) await rm(`${path}${suffix}`, { force: true });
    this.#own.delete(path);
  }
}

async function readRecord(path: string): Promise<z.infer<typeof recordSchema> | null> {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(await readFile(`${path}.json`, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // none, or not one of ours
  }
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}
