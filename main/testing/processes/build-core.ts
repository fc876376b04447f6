import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import type { CoreEntries } from './core-process';

const ENTRIES = {
  core: 'main/testing/processes/core-main.ts',
  dataThread: 'main/db/thread/data-thread.ts',
  host: 'main/hosts/process/host.ts',
} as const;

/** Builds the product's core for plain Node processes, inside the tree, so that they find node_modules. */
export async function buildCore(root: string): Promise<CoreEntries & { remove(): void }> {
  const folder = mkdtempSync(join(root, 'node_modules', '.test-core-'));
  await build({
    cwd: root,
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(root, file)])),
    platform: 'node',
    external: [/^[a-z@]/], // packages stay packages
    output: { dir: folder, format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    logLevel: 'silent',
  });
  const file = (name: keyof typeof ENTRIES) => join(folder, `${name}.mjs`);
  return {
    core: file('core'),
    dataThread: file('dataThread'),
    host: file('host'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
