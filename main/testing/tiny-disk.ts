import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of so many bytes, in the place of a full disk. `remove` unmounts it. */
export interface TinyDisk {
  readonly folder: string;
  remove(): void;
}

/** null where this user may mount none: on Linux root may, and nobody elsewhere. */
export function tinyDisk(bytes: number): TinyDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]).status === 0;
  if (!mounted) rmdirSync(folder);
  const remove = () => {
    spawnSync('umount', ['-l', folder]);
    rmdirSync(folder);
  };
  return mounted ? { folder, remove } : null;
}
