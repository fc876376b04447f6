#!/usr/bin/env node
// Everything that a fresh checkout needs: node scripts/setup.mjs [--for-tests]
// Safe to run again; with all in place it takes a fraction of a second.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensurePracticeModel } from './practice-model.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { hasDisplay } from './setup/display.mjs';
import { ensureElectronTypings } from './setup/electron-typings.mjs';
import { command, SetupError, say, seconds } from './setup/say.mjs';
import {
  DISPLAY_PACKAGES,
  EXTRA_PACKAGES,
  ensureSystemPackages,
  RUN_PACKAGES,
  TRACE_PACKAGES,
} from './setup/system-packages.mjs';
import { setupElectron } from './setup-electron.mjs';

/** Sets everything up; `forTests` adds what only checks need. */
export async function setup({ forTests = false } = {}) {
  const started = performance.now();
  requireNode();
  ensureSystemPackages(RUN_PACKAGES);
  ensureSystemPackages(EXTRA_PACKAGES, { optional: true });
  if (forTests || !hasDisplay()) ensureSystemPackages(DISPLAY_PACKAGES, { optional: !forTests });
  if (forTests) ensureSystemPackages(TRACE_PACKAGES);
  ensureDependencies();
  const runtime = await setupElectron();
  ensurePracticeModel();
  if (forTests) await ensureElectronTypings();
  say(`ready: Node ${process.versions.node}, Electron ${runtime.electron} (${seconds(started)})`);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupError(`Node.js 20.19 or newer is needed; this is ${process.versions.node}`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await command(() => setup({ forTests: process.argv.includes('--for-tests') }));
}
