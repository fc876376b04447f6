import { realpath } from 'node:fs/promises';
import type { Clock } from '../../../lib/clock';
import type { GrantedFolder } from '../../tool-protocol';

/** A folder that has not answered within this is taken for one that is gone. Milliseconds. */
const PATIENCE_MS = 3_000;

/** Names of granted folders that are not where they were granted, or on a disk that does not answer. */
export async function goneFolders(
  folders: readonly GrantedFolder[],
  clock: Pick<Clock, 'after'>,
  look: (path: string) => Promise<string> = realpath,
): Promise<readonly string[]> {
  const there = await Promise.all(folders.map(({ path }) => isThere(path, clock, look)));
  return folders.filter((_, at) => !there[at]).map(({ name }) => name);
}

function isThere(path: string, clock: Pick<Clock, 'after'>, look: (path: string) => Promise<string>): Promise<boolean> {
  return new Promise((resolve) => {
    const disarm = clock.after(PATIENCE_MS, () => resolve(false));
    look(path)
      .then(
        (real) => resolve(real === path),
        () => resolve(false),
      )
      .finally(disarm);
  });
}
