/** A text file of modest size, and nothing else that may stand under a name. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { FileRefusal } from './file-refusal';

/** Bytes of a file that is read at all. */
export const FILE_BYTES_MAX = 8_000_000;
/** Bytes in which a zero shows that a file is no text. */
const PROBE_BYTES = 8_192;

/**
 * The text of a real path. Opened without following a link and without waiting, so that neither a link put there
 * meanwhile nor a pipe nor a device can hold it up.
 * @throws FileRefusal for anything but a text file of at most `FILE_BYTES_MAX`.
 */
export async function readTextFile(real: string, shown: string, signal: AbortSignal): Promise<string> {
  const file = await openPlain(real, shown);
  try {
    const { size } = await sizeOf(file, shown);
    if (size > FILE_BYTES_MAX)
      throw new FileRefusal(`${shown} is too large: ${size} bytes, and ${FILE_BYTES_MAX} can be read`);
    const bytes = await file.readFile({ signal });
    if (bytes.length > FILE_BYTES_MAX) throw new FileRefusal(`${shown} grows while it is read`);
    const text = textIn(bytes);
    if (text === null) throw new FileRefusal(`${shown} is not a text file`);
    return text;
  } catch (error) {
    if (error instanceof FileRefusal || signal.aborted) throw error;
    throw FileRefusal.of(error, shown);
  } finally {
    await file.close();
  }
}

/** null = bytes that are no text. UTF-8, or UTF-16 where it says so. */
export function textIn(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString('utf16le');
  if (bytes.subarray(0, PROBE_BYTES).includes(0)) return null;
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

async function openPlain(real: string, shown: string): Promise<FileHandle> {
  // neither flag exists on Windows, where opening waits for nothing of this kind
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Record<string, number | undefined>;
  try {
    return await open(real, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw FileRefusal.of(error, shown);
  }
}

async function sizeOf(file: FileHandle, shown: string): Promise<{ size: number }> {
  const about = await file.stat();
  if (about.isDirectory()) throw new FileRefusal(`${shown} is a folder; search it, or name a file in it`);
  if (!about.isFile()) throw new FileRefusal(`${shown} is not a file but a device, a pipe or a socket`);
  return about;
}
