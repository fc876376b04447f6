// Where the set-up finds and keeps things.
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Per checkout, ignored by git: the practice model, typings of the older Electron. */
export const LOCAL_CACHE = path.join(ROOT, '.cache');

/** Per user, shared by checkouts: Electron's fallback and the compiled better-sqlite3. */
export const USER_CACHE =
  process.env.ELECTRON_SETUP_CACHE ||
  path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'electron-setup');

/** Resolves as a file in the repository's root would; usable once `npm ci` has run. */
export const requireFromRoot = createRequire(path.join(ROOT, 'package.json'));
