import { readFile } from 'node:fs/promises';
import { JobFailure } from './job-failure';

export interface Picture {
  readonly media: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly base64: string;
}

/** Reads a picture of a message; its first bytes say what it is. */
export async function readPicture(path: string, signal: AbortSignal): Promise<Picture> {
  const bytes = await readFile(path, { signal });
  const media = mediaOf(bytes);
  if (!media) throw new JobFailure('refused', 'internal', 'a file of this message is no picture');
  return { media, base64: bytes.toString('base64') };
}

/** null = it is none of the four that models take. */
export function mediaOf(bytes: Buffer): Picture['media'] | null {
  const hex = bytes.subarray(0, 12).toString('hex');
  if (hex.startsWith('89504e470d0a1a0a')) return 'image/png';
  if (hex.startsWith('ffd8ff')) return 'image/jpeg';
  if (hex.startsWith('474946383')) return 'image/gif';
  return hex.startsWith('52494646') && hex.endsWith('57454250') ? 'image/webp' : null;
}
