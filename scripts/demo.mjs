#!/usr/bin/env node
// `npm run demo`: sets up and builds as `npm start` does, then drives the real app through its main job by mouse and
// keyboard, on a private virtual display where there is none. It tells what happens with times, leaves a picture of
// each step in out/demo, and ends with 1 if any step fails.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildWhenChanged } from './build.mjs';
import { electronEnvironment, hasDisplay, privateDisplay } from './setup/display.mjs';
import { ROOT } from './setup/places.mjs';
import { command } from './setup/say.mjs';
import { DISPLAY_PACKAGES, ensureSystemPackages } from './setup/system-packages.mjs';
import { setup } from './setup.mjs';

await command(async () => {
  await setup();
  buildWhenChanged();
  let display = null;
  if (!hasDisplay()) {
    ensureSystemPackages(DISPLAY_PACKAGES);
    display = await privateDisplay();
  }
  const env = { ...electronEnvironment(), ...display?.env };
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts/demo/run.mjs')], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
  display?.end();
});
