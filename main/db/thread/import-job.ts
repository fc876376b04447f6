import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type ImportedMessage, parseSlice } from '../../sessions/import-text';
import type { ReadDb } from '../database';

/** Bytes of a file that are read at once; a message that is larger is read whole. */
const SLICE = 1_000_000;
/** Bytes of a file that is read: beyond that it is no conversation. */
const FILE_MAX = 200_000_000;
const NEW_LINE = 10;

export interface ImportJob {
  /** Absolute path of the file. */
  readonly file: string;
  /** Byte from which it is read: 0, or what the last slice answered. */
  readonly from: number;
}
export type ImportAnswer =
  | {
      readonly kind: 'slice';
      readonly messages: readonly ImportedMessage[];
      readonly title: string;
      /** Byte from which the next slice is read; null = that was all. */
      readonly next: number | null;
    }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** What is in it is no text. */
  | { readonly kind: 'no-text' };

/** The next messages of a conversation in a file. Reads no database: the thread is where long work belongs. */
export function importSlice(_db: ReadDb, { file, from }: ImportJob): ImportAnswer {
  try {
    const { size } = statSync(file);
    if (size > FILE_MAX) return { kind: 'unreadable', reason: `${size} bytes` };
    for (let bytes = SLICE; ; bytes *= 2) {
      const { part, whole } = readLines(file, from, bytes, size);
      const text = textOf(part);
      if (text === null) return { kind: 'no-text' };
      const { messages, title, used } = parseSlice(text, whole);
      if (!whole && messages.length === 0) continue; // one message, or none yet: more of it is needed
      const next = whole ? null : from + Buffer.byteLength(text.slice(0, used));
      return { kind: 'slice', messages, title, next };
    }
  } catch (error) {
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Whole lines from there on; `whole` = up to the end of the file. */
function readLines(file: string, from: number, bytes: number, size: number): { part: Buffer; whole: boolean } {
  const buffer = Buffer.alloc(Math.min(bytes, size - from));
  const handle = openSync(file, 'r');
  try {
    let read = 0;
    while (read < buffer.length) {
      const got = readSync(handle, buffer, read, buffer.length - read, from + read);
      if (got === 0) break;
      read += got;
    }
    const part = buffer.subarray(0, read);
    const whole = from + read >= size;
    // a line ends at a byte that is part of no other character, so that no character is cut
    return { part: whole ? part : part.subarray(0, part.lastIndexOf(NEW_LINE) + 1), whole };
  } finally {
    closeSync(handle);
  }
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
