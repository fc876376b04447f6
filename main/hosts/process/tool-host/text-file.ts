/** A text file of modest size, and nothing else that may stand under a name. */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { FileRefusal } from './file-refusal';
import type { GrantedPath } from './granted-path';

/** Bytes of a file that is read at all. */
const FILE_BYTES_MAX = 8_000_000;
/** Bytes in which a zero shows that a file is no text. */
const PROBE_BYTES = 8_192;

/**
 * The text of a real path. Opened without following a link and without waiting, so that neither a link put there
 * meanwhile nor a pipe nor a device can hold it up. What was opened is looked up once more before it is read: a folder
 * on the way that became a link meanwhile leads nowhere.
 * @throws FileRefusal for anything but a text file of at most `FILE_BYTES_MAX`.
 */
export async function readTextFile(place: GrantedPath, signal: AbortSignal): Promise<string> {
  const { shown } = place;
  const file = await openPlain(place.real, shown);
  try {
    const { size } = await sizeOf(file, shown);
    if (size > FILE_BYTES_MAX)
      throw new FileRefusal(`${shown} is too large: ${size} bytes, and ${FILE_BYTES_MAX} can be read`);
    await sameFile(file, place);
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
function textIn(bytes: Buffer): string | null {
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

/** Whether the open file is the one that stands, inside the grant, where it was asked for. */
async function sameFile(file: FileHandle, { real, shown, mayRead }: GrantedPath): Promise<void> {
  const now = await realpath(real);
  if (!mayRead(now)) throw new FileRefusal(`${shown} leads out of its folder`);
  // as big integers: numbers of files on Windows are larger than what a number holds
  const [opened, found] = await Promise.all([file.stat({ bigint: true }), stat(now, { bigint: true })]);
  if (opened.dev !== found.dev || opened.ino !== found.ino)
    throw new FileRefusal(`${shown} was replaced while it was opened; try again`);
}

async function sizeOf(file: FileHandle, shown: string): Promise<{ size: number }> {
  const about = await file.stat();
  if (about.isDirectory()) throw new FileRefusal(`${shown} is a folder; search it, or name a file in it`);
  if (!about.isFile()) throw new FileRefusal(`${shown} is not a file but a device, a pipe or a socket`);
  return about;
}
