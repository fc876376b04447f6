import path from 'node:path';
import { isLoopback } from '../../shared/loopback';
import { HUB } from '../providers/hub';

/** Where the built files lie: this module runs as out/main/main.js. */
const BUILT = path.join(import.meta.dirname, '..');

export const RENDERER = path.join(BUILT, 'renderer');
export const PRELOAD = path.join(BUILT, 'preload', 'preload.cjs');
export const HOST_ENTRY = path.join(BUILT, 'main', 'host.js');
export const DATA_THREAD_ENTRY = path.join(BUILT, 'main', 'data-thread.js');

/** Files that ship beside the code: in the package's resources, in development where the scripts put them. */
export function shippedFiles(isPackaged: boolean, resources: string) {
  const checkout = path.join(BUILT, '..');
  return {
    practiceModel: isPackaged
      ? path.join(resources, 'practice-model.gguf')
      : path.join(checkout, '.cache', 'practice-model.gguf'),
    icon: isPackaged ? path.join(resources, 'icon.png') : path.join(checkout, 'build', 'icon.png'),
  };
}

/** The profile's folder: from --profile=DIR, else PALIMPSEST_PROFILE, else the system's usual place. */
export function profileFolder(argv: readonly string[], variable: string | undefined, usual: string): string {
  const flag = argv.find((arg) => arg.startsWith('--profile='))?.slice('--profile='.length);
  return path.resolve(flag || variable || usual);
}

/** The hub that models come from. In a checkout, tests may put a server of this machine in its place; nobody may elsewhere. */
export function hubAddress(argv: readonly string[], isPackaged: boolean): string {
  const named = argv.find((arg) => arg.startsWith('--test-hub='))?.slice('--test-hub='.length);
  if (isPackaged || named === undefined || !URL.canParse(named)) return HUB;
  const url = new URL(named);
  return isLoopback(url) ? url.origin : HUB;
}
