// The tools of node_modules, started by their own entry files: no shell, no PATH, the same on every system.
import path from 'node:path';
import { ROOT } from './places.mjs';

const ENTRIES = {
  tsc: 'typescript/bin/tsc',
  biome: '@biomejs/biome/bin/biome',
  vitest: 'vitest/vitest.mjs',
  playwright: '@playwright/test/cli.js',
  'electron-vite': 'electron-vite/bin/electron-vite.js',
  'electron-builder': 'electron-builder/cli.js',
};

/** Program and arguments that run one of the tools in this Node. */
export function tool(name, ...args) {
  return [process.execPath, path.join(ROOT, 'node_modules', ENTRIES[name]), ...args];
}
