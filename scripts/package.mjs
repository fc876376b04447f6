#!/usr/bin/env node
// `npm run package`: an unpacked app for this system, in dist/.
//   PACKAGE_FOR_E2E=1 npm run package     keeps --inspect, so that Playwright can drive it
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildWhenChanged } from './build.mjs';
import { ROOT } from './setup/places.mjs';
import { command, SetupError, say, seconds } from './setup/say.mjs';
import { tool } from './setup/tools.mjs';
import { setup } from './setup.mjs';

await command(async () => {
  await setup();
  buildWhenChanged();
  const started = performance.now();
  const [program, ...args] = tool('electron-builder', '--dir', '--publish=never');
  const built = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (built.status !== 0) throw new SetupError(`electron-builder failed:\n${built.stdout}\n${built.stderr}`);
  const made = fs.readdirSync(path.join(ROOT, 'dist')).filter((name) => /unpacked$|^mac/.test(name));
  say(`packaged (${seconds(started)}): ${made.map((name) => path.join('dist', name)).join(', ')}`);
});
