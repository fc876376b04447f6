/** From the path that a model names to a file in a folder that the user granted, and to nothing else. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { GrantedFolder } from '../../tool-protocol';
import { FileRefusal } from './file-refusal';

export interface Granted {
  readonly folders: readonly GrantedFolder[];
  /** Folders of the app itself. */
  readonly closed: readonly string[];
}

/** Something in a granted folder: the path that a model knows, and the one it really has. */
export interface GrantedPath {
  readonly shown: string;
  readonly real: string;
  /** True for a real path in the same granted folder that may be read. */
  readonly mayRead: (real: string) => boolean;
}

/**
 * The real path of something in a granted folder. Links are followed by the system first and judged by where they end:
 * one that leaves the folder is refused, whoever made it.
 * @throws FileRefusal with one plain sentence for the model.
 */
export async function grantedPath(granted: Granted, asked: string): Promise<GrantedPath> {
  const parts = asked
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const folder = granted.folders.find(({ name }) => name === parts[0]);
  if (!folder) throw new FileRefusal(`paths begin with one of these folders: ${namesOf(granted.folders)}`);
  const shown = parts.join('/');
  if (parts.includes('..')) throw new FileRefusal(`${shown} leads out of the folder ${folder.name}`);
  const real = await realOf(path.join(folder.path, ...parts.slice(1)), shown);
  // granted is the folder as it was chosen; a link that was put in its place is another folder
  const root = await realOf(folder.path, folder.name);
  if (root !== folder.path) throw new FileRefusal(`the folder ${folder.name} is no longer where it was granted`);
  if (!isWithin(root, real)) throw new FileRefusal(`${shown} leads out of the folder ${folder.name}`);
  const isClosed = (file: string) => granted.closed.some((one) => isWithin(one, file));
  if (isClosed(real)) throw new FileRefusal(`${shown} belongs to this app itself`);
  return { shown, real, mayRead: (file) => isWithin(root, file) && !isClosed(file) };
}

export function namesOf(folders: readonly GrantedFolder[]): string {
  return folders.map(({ name }) => name).join(', ');
}

/** True for the folder itself and for everything in it. */
function isWithin(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

async function realOf(file: string, shown: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    throw FileRefusal.of(error, shown);
  }
}
