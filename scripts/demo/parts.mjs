// The parts of the e2e tests that the demo drives the app with: bundled once into a folder of its own, since they are
// TypeScript and this runs in plain Node.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { ROOT } from '../setup/places.mjs';

const SOURCES = {
  'running-app': 'e2e/fixtures/running-app.ts',
  'lease-holder': 'e2e/fixtures/lease-holder.ts',
  processes: 'e2e/fixtures/processes.ts',
  stored: 'e2e/fixtures/stored.ts',
  'main-window': 'e2e/pages/main-window.ts',
  'quick-chat': 'e2e/pages/quick-chat.ts',
  'scripted-server': 'main/testing/scripted-server.ts',
};

/** Answers what those files export, in one object, and the folder to remove at the end. */
export async function loadParts() {
  // Two levels under the root, as the sources are: from there they find node_modules and the root itself.
  const folder = fs.mkdtempSync(path.join(ROOT, 'node_modules', '.demo-'));
  try {
    await build({
      input: Object.fromEntries(Object.entries(SOURCES).map(([name, file]) => [name, path.join(ROOT, file)])),
      platform: 'node',
      external: [/^[^./]/],
      output: { dir: folder, format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      logLevel: 'silent',
    });
    const parts = {};
    for (const name of Object.keys(SOURCES)) {
      Object.assign(parts, await import(pathToFileURL(path.join(folder, `${name}.mjs`)).href));
    }
    return { parts, folder };
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
