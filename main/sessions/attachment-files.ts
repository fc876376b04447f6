/** The files of attachments in the profile, each under the hash of its bytes. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../shared/errors';
import { ATTACHMENT_BYTES_MAX, type AttachmentHash } from '../../shared/model/attachment';
import type { Ids } from '../lib/ids';
import { HEAD_BYTES } from './attachment-kind';

/** A file as it lies where the user has it. */
export interface FoundFile {
  readonly name: string;
  readonly bytes: number;
  /** Its first bytes. */
  readonly head: Buffer;
}

export class AttachmentFiles {
  readonly #folder: string;
  readonly #ids: Ids;

  /** `folder` is made when the first file is kept. */
  constructor(folder: string, ids: Ids) {
    this.#folder = folder;
    this.#ids = ids;
  }

  pathOf(hash: AttachmentHash): string {
    return join(this.#folder, hash.slice(0, 2), hash);
  }

  /** Looks at a file without keeping it. @throws AppError `attachment-folder`, `-empty`, `-too-large`, `file-unreadable`. */
  async find(path: string): Promise<FoundFile> {
    const file = basename(path);
    try {
      const facts = await stat(path);
      if (facts.isDirectory()) throw new AppError('attachment-folder', { file });
      if (!facts.isFile()) throw new AppError('attachment-kind', { file });
      if (facts.size === 0) throw new AppError('attachment-empty', { file });
      if (facts.size > ATTACHMENT_BYTES_MAX)
        throw new AppError('attachment-too-large', { file, bytes: facts.size, limit: ATTACHMENT_BYTES_MAX });
      const handle = await open(path, 'r');
      try {
        const head = Buffer.alloc(Math.min(HEAD_BYTES, facts.size));
        const { bytesRead } = await handle.read(head, 0, head.length, 0);
        return { name: file, bytes: facts.size, head: head.subarray(0, bytesRead) };
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw unreadable(error, file);
    }
  }

  /** Copies a file into the profile. @throws AppError `disk-full`, `file-unreadable`. */
  keep(path: string): Promise<{ hash: AttachmentHash; bytes: number }> {
    return this.#keep(createReadStream(path), basename(path));
  }
  /** The same for what was pasted. */
  keepPasted(bytes: Uint8Array, name: string): Promise<{ hash: AttachmentHash; bytes: number }> {
    return this.#keep(Readable.from([Buffer.from(bytes)]), name);
  }

  /** Whole or not at all: under its name it lies only when every byte is there. */
  async #keep(source: Readable, name: string): Promise<{ hash: AttachmentHash; bytes: number }> {
    const part = join(this.#folder, `${this.#ids.uuid()}.part`);
    const sum = createHash('sha256');
    let bytes = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sum.update(chunk);
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    try {
      await mkdir(this.#folder, { recursive: true });
      await pipeline(source, count, createWriteStream(part, { flush: true }));
      const hash = sum.digest('hex') as AttachmentHash;
      await mkdir(join(this.#folder, hash.slice(0, 2)), { recursive: true });
      await rename(part, this.pathOf(hash));
      return { hash, bytes };
    } catch (error) {
      await rm(part, { force: true }).catch(() => {});
      throw unreadable(error, name);
    }
  }

  /** Takes a file away; one that is not there is gone already. */
  async remove(hash: AttachmentHash): Promise<void> {
    await rm(this.pathOf(hash), { force: true });
  }
}

function unreadable(error: unknown, file: string): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError('disk-full', {}, error);
  return new AppError('file-unreadable', { file, reason: code === '' ? String(error) : code }, error);
}
