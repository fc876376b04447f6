/** What a file is, by its first bytes. Pure. */
import type { AttachmentKind } from '../../shared/model/attachment';
import { mediaOf } from '../hosts/process/picture';

/** Bytes that are looked at. */
export const HEAD_BYTES = 8_192;

/** What can be attached, or why it cannot. */
export type Sniffed = AttachmentKind | 'binary';

/** `head` = at most the first HEAD_BYTES; `name` tells a Word file from other archives. */
export function sniff(head: Buffer, name: string): Sniffed {
  if (head.subarray(0, 1_024).includes('%PDF-')) return 'pdf';
  if (isZip(head)) return /\.docx$/i.test(name) ? 'docx' : 'binary';
  if (mediaOf(head)) return 'image';
  return encodingOf(head) === null ? 'binary' : 'text';
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How a text is written; null = it is none. */
function encodingOf(head: Buffer): Encoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (isBinary(head)) return null;
  try {
    // the head may end within a character: `stream` leaves it out
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252'; // older text files of Western systems
  }
}

/** The whole text; a mark of the byte order at its beginning is none of its letters. */
export function decodeText(bytes: Buffer): string {
  const encoding = encodingOf(bytes) ?? 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

function isZip(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32BE(0) === 0x504b0304;
}

/** NUL, or more than a few other control characters. */
function isBinary(head: Buffer): boolean {
  let control = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) control++;
  }
  return control * 100 > head.length;
}
