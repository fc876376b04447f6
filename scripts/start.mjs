#!/usr/bin/env node
// `npm start`: sets up what is missing, builds what has changed, opens the app.
// Arguments go to the app: npm start -- --profile=/some/folder
import { spawn } from 'node:child_process';
import { buildWhenChanged } from './build.mjs';
import { electronEnvironment, hasDisplay } from './setup/display.mjs';
import { electronExecutable } from './setup/electron-place.mjs';
import { ROOT } from './setup/places.mjs';
import { command, say, seconds } from './setup/say.mjs';
import { setup } from './setup.mjs';

await command(async () => {
  const started = performance.now();
  await setup();
  buildWhenChanged();
  if (!hasDisplay()) {
    say('there is no display here (DISPLAY and WAYLAND_DISPLAY are not set). To see the app at work: npm run demo');
    return;
  }
  const env = electronEnvironment();
  say(`opening the window (${seconds(started)} until here)`);
  const app = spawn(electronExecutable(), ['.', ...process.argv.slice(2)], { cwd: ROOT, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => app.kill(signal));
  process.exitCode = await new Promise((resolve, reject) => {
    app.on('error', reject);
    app.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
});
