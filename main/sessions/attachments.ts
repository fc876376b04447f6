/** Verbs on the files of a draft: each stores, then publishes. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../shared/errors';
import {
  ATTACHED_CHARS_MAX,
  type Attachment,
  type AttachmentHash,
  type AttachmentKind,
  IMAGE_BYTES_MAX,
  PREVIEW_MAX,
  type Preview,
  type RefusedFile,
} from '../../shared/model/attachment';
import type { SessionId } from '../../shared/model/ids';
import { attachmentText, dropAttachment, filesWaiting, type KeptFile, putAttachment } from '../db/attachments-table';
import { IMAGE_CHARS } from '../db/message-parts';
import { changeSession, getSession } from '../db/sessions-table';
import type { DataThread } from '../db/thread/client';
import type { WriteSeam } from '../db/write-seam';
import { mediaOf } from '../hosts/process/picture';
import { countChars } from '../lib/char-counts';
import type { Clock } from '../lib/clock';
import type { TokenRates } from '../providers/registry-types';
import { tokensOf } from '../providers/token-estimate';
import type { AttachmentFiles } from './attachment-files';
import { decodeText, sniff } from './attachment-kind';
import { type DocumentHost, documentText } from './document-text';
import { addToDraft } from './draft-files';

export interface AttachmentsEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly files: AttachmentFiles;
  readonly documents: DocumentHost;
  /** The model that a session uses next; null = there is none. */
  modelOf(sessionId: SessionId): { readonly name: string; readonly sees: boolean } | null;
  /** The files of a draft changed, or begin or end to be read. */
  changed(sessionId: SessionId): void;
  log(line: string): void;
}

/** A file with its text; null = a picture. */
interface ReadFile {
  readonly file: KeptFile;
  readonly text: string | null;
}

const MEDIA: Record<AttachmentKind, string> = {
  text: 'text/plain',
  paste: 'text/plain',
  pdf: 'application/pdf',
  image: 'image/*',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

export class Attachments {
  readonly #env: AttachmentsEnv;
  /** Names of files that are being read, by session. */
  readonly #reading = new Map<SessionId, readonly string[]>();
  /** One file at a time: a document that hangs is given up without harm to another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(env: AttachmentsEnv) {
    this.#env = env;
  }

  readingOf(sessionId: SessionId): readonly string[] {
    return this.#reading.get(sessionId) ?? [];
  }

  /** Attaches files to the draft of a session; answers those that could not be, each with its reason. */
  async add(sessionId: SessionId, paths: readonly string[]): Promise<RefusedFile[]> {
    const works = paths.map((path) => this.#one(sessionId, basename(path), () => this.#fromDisk(sessionId, path)));
    return (await Promise.all(works)).filter((refused) => refused !== null);
  }

  /** Attaches a pasted text. @throws AppError as for a file. */
  async paste(sessionId: SessionId, name: string, text: string): Promise<void> {
    const refused = await this.#one(sessionId, name, async () => {
      const { hash, bytes } = await this.#env.files.keepPasted(Buffer.from(text, 'utf8'), name);
      return { file: { hash, name, kind: 'paste', bytes, chars: countChars(text) }, text };
    });
    if (refused) throw new AppError(refused.code, refused.fields);
  }

  /** Attaches a picture out of the clipboard, which lies in no file. @throws AppError as for a file. */
  async pasteImage(sessionId: SessionId, name: string, bytes: Uint8Array): Promise<void> {
    const refused = await this.#one(sessionId, name, async () => {
      this.#allowImage(sessionId, name, bytes.length);
      if (!mediaOf(Buffer.from(bytes))) throw new AppError('attachment-kind', { file: name });
      return this.#image(await this.#env.files.keepPasted(bytes, name), name);
    });
    if (refused) throw new AppError(refused.code, refused.fields);
  }

  async remove(sessionId: SessionId, hash: AttachmentHash): Promise<void> {
    const { seam } = this.#env;
    await seam.write(sessionId, (tx) => {
      const files = getSession(tx, sessionId)?.draftFiles ?? [];
      changeSession(tx, sessionId, { draftFiles: files.filter((file) => file.hash !== hash) });
    });
    this.#env.changed(sessionId);
  }

  /** How the text begins that a model gets of a file, or the picture. @throws AppError `not-found`. */
  async preview(hash: AttachmentHash): Promise<Preview> {
    const text = attachmentText(this.#env.seam.db, hash);
    if (text !== null) return { text: text.slice(0, PREVIEW_MAX), chars: text.length, image: null };
    const bytes = await readFile(this.#env.files.pathOf(hash)).catch(() => null);
    const media = bytes && mediaOf(bytes);
    if (!bytes || !media) throw new AppError('not-found', { what: 'attachment' });
    return { text: '', chars: 0, image: `data:${media};base64,${bytes.toString('base64')}` };
  }

  /** Takes away what nothing names any more: after the bin was emptied. */
  async sweep(data: DataThread): Promise<void> {
    const { seam, clock, files } = this.#env;
    const began = clock.wall();
    for (const hash of await data.ask('orphans', {})) {
      const gone = await seam.write('app', (tx) => !filesWaiting(tx).has(hash) && dropAttachment(tx, hash, began));
      if (gone) await files.remove(hash);
    }
  }

  /** Reads one file after those before it, and puts it into the draft. null = it is attached. */
  #one(sessionId: SessionId, name: string, read: () => Promise<ReadFile>): Promise<RefusedFile | null> {
    const { seam, clock } = this.#env;
    this.#tell(sessionId, [...this.readingOf(sessionId), name]);
    const work = this.#last.then(async () => {
      try {
        const { file, text } = await read();
        await seam.write(
          sessionId,
          (tx) => {
            putAttachment(tx, { ...file, media: MEDIA[file.kind], text, now: clock.wall() });
            addToDraft(tx, sessionId, file);
          },
          { durable: true },
        );
        return null;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        this.#env.log(`not attached: ${error.code}`);
        return { name, code: error.code, fields: error.fields };
      } finally {
        const names = this.readingOf(sessionId);
        this.#tell(sessionId, names.toSpliced(names.indexOf(name), 1));
      }
    });
    this.#last = work.catch(() => {});
    return work;
  }

  #tell(sessionId: SessionId, names: readonly string[]): void {
    if (names.length === 0) this.#reading.delete(sessionId);
    else this.#reading.set(sessionId, names);
    this.#env.changed(sessionId);
  }

  /** @throws AppError with the reason why it cannot be attached. */
  async #fromDisk(sessionId: SessionId, path: string): Promise<ReadFile> {
    const { files } = this.#env;
    const found = await files.find(path);
    const { name } = found;
    const kind = sniff(found.head, name);
    if (kind === 'binary') throw new AppError('attachment-kind', { file: name });
    if (kind === 'image') {
      this.#allowImage(sessionId, name, found.bytes);
      return this.#image(await files.keep(path), name);
    }
    // a text this large has too many characters in any encoding
    if (kind === 'text' && found.bytes > ATTACHED_CHARS_MAX * 4)
      throw new AppError('attachment-too-long', { file: name, limit: ATTACHED_CHARS_MAX });
    const { hash, bytes } = await files.keep(path);
    const text = await this.#textOf(hash, kind, name).catch(async (error: unknown) => {
      await files.remove(hash); // nothing names it
      throw error;
    });
    return { file: { hash, name, kind, bytes, chars: countChars(text) }, text };
  }

  #image(kept: { readonly hash: AttachmentHash; readonly bytes: number }, name: string): ReadFile {
    return { file: { ...kept, name, kind: 'image', chars: IMAGE_CHARS }, text: null };
  }

  /** @throws AppError `attachment-image` where the session's model does not say that it sees, `attachment-too-large`. */
  #allowImage(sessionId: SessionId, file: string, bytes: number): void {
    const model = this.#env.modelOf(sessionId);
    if (!model?.sees) throw new AppError('attachment-image', { file, model: model?.name ?? '' });
    if (bytes > IMAGE_BYTES_MAX) throw new AppError('attachment-too-large', { file, bytes, limit: IMAGE_BYTES_MAX });
  }

  async #textOf(hash: AttachmentHash, kind: AttachmentKind, name: string): Promise<string> {
    const { seam, clock, files, documents } = this.#env;
    const known = attachmentText(seam.db, hash);
    if (known !== null) return known;
    const path = files.pathOf(hash);
    if (kind === 'pdf' || kind === 'docx') return documentText(documents, clock, { path, format: kind, name });
    const text = decodeText(await readFile(path));
    if (text.trim() === '') throw new AppError('attachment-empty', { file: name });
    return text;
  }
}

/** As windows show it: priced by the session's model. */
export function shownAttachment({ chars, ...file }: KeptFile, rates: TokenRates): Attachment {
  return { ...file, tokens: tokensOf(chars, rates) };
}
