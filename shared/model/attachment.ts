import { z } from 'zod';
import type { ErrorCode, ErrorFields } from '../errors';

/** sha256 of the file's bytes, in hexadecimal: a file is kept once, however often it is attached. */
export const attachmentHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'AttachmentHash'>();
export type AttachmentHash = z.infer<typeof attachmentHash>;

export const attachmentKinds = ['text', 'paste', 'pdf', 'docx', 'image'] as const;
/** What it is to the reader. A `paste` is a text that was too long for the field. */
export type AttachmentKind = (typeof attachmentKinds)[number];

/** A file that goes with a message. */
export interface Attachment {
  readonly hash: AttachmentHash;
  /** The file's own name, without its folder. */
  readonly name: string;
  readonly kind: AttachmentKind;
  readonly bytes: number;
  /** What it takes of a request, by the one counter and the session's model. */
  readonly tokens: number;
}

/** A file that was not attached, with the reason. */
export interface RefusedFile {
  readonly name: string;
  readonly code: ErrorCode;
  readonly fields: ErrorFields;
}

/** What a model gets of a file. */
export interface Preview {
  /** How its text begins; '' for a picture. */
  readonly text: string;
  /** Length of the whole text. */
  readonly chars: number;
  /** The picture as an address that holds it; null = it is none. */
  readonly image: string | null;
}

/** Files one message can have. */
export const ATTACHMENTS_MAX = 20;
/** UTF-16 units of text that the files of one message can have together. */
export const ATTACHED_CHARS_MAX = 1_000_000;
/** Bytes of one file. */
export const ATTACHMENT_BYTES_MAX = 50_000_000;
/** Bytes of one picture. */
export const IMAGE_BYTES_MAX = 10_000_000;
/** UTF-16 units above which a pasted text becomes an attachment. */
export const PASTE_MAX = 20_000;
/** UTF-16 units of a file's text that a preview shows. */
export const PREVIEW_MAX = 50_000;
