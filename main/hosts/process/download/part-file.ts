import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';

/** Bytes of an earlier part that are read at once for the checksum. */
const SLICE = 1_000_000;

/** The part of a file that is here, its running checksum, and the record beside it. */
export class PartFile {
  readonly #path: string;
  #hash = createHash('sha256');
  #file: FileHandle | null = null;
  #size = 0;

  /** `path` = where the finished file goes. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes that are here and in the checksum. */
  get size(): number {
    return this.#size;
  }

  /**
   * Reads what is here into the checksum; a part with more bytes than the whole has is thrown away.
   * @throws what the file system throws, or the signal's reason.
   */
  async take(most: number, signal: AbortSignal, progress: (done: number, of: number) => void): Promise<void> {
    this.#file = await open(this.#part, 'a+');
    const { size } = await this.#file.stat();
    if (size > most) {
      await this.startOver();
      return;
    }
    const slice = Buffer.alloc(Math.min(SLICE, size));
    while (this.#size < size) {
      signal.throwIfAborted();
      const { bytesRead } = await this.#file.read(slice, 0, slice.length, this.#size);
      if (bytesRead === 0) break;
      this.#hash.update(slice.subarray(0, bytesRead));
      this.#size += bytesRead;
      progress(this.#size, size);
    }
  }

  async append(bytes: Buffer): Promise<void> {
    if (!this.#file) throw new Error('the part is not open');
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at);
      at += bytesWritten;
    }
    this.#size += bytes.length;
  }

  /** Forgets every byte that is here. */
  async startOver(): Promise<void> {
    if (this.#size > 0 || (await this.#sizeOnDisk()) > 0) await this.#file?.truncate(0);
    this.#hash = createHash('sha256');
    this.#size = 0;
  }

  /** The server's ETag when the part was begun; null = it gave none, or there is no readable record. */
  async etag(): Promise<string | null> {
    try {
      const record: unknown = JSON.parse(await readFile(this.#record, 'utf8'));
      const etag = typeof record === 'object' && record !== null ? (record as { etag?: unknown }).etag : null;
      return typeof etag === 'string' ? etag : null;
    } catch {
      return null;
    }
  }

  /** Whole or not at all: a crash or a power cut leaves the record before. */
  async note(record: Readonly<Record<string, string | number | null>>): Promise<void> {
    const fresh = `${this.#record}.new`;
    const file = await open(fresh, 'w');
    try {
      await file.writeFile(`${JSON.stringify(record)}\n`);
      await file.sync(); // else the name may reach the disk before what it names
    } finally {
      await file.close();
    }
    await rename(fresh, this.#record);
  }

  /** SHA-256 of all bytes, in hex. Nothing can be appended afterwards. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  /** Makes the part the file. */
  async finish(): Promise<void> {
    await this.#file?.sync();
    await this.close();
    await rename(this.#part, this.#path);
  }

  /** Takes part and record away. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.#part, { force: true });
    await rm(this.#record, { force: true });
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  get #part(): string {
    return `${this.#path}.part`;
  }
  get #record(): string {
    return `${this.#path}.json`;
  }
  async #sizeOnDisk(): Promise<number> {
    return (await stat(this.#part)).size;
  }
}
