#!/usr/bin/env node
// Real processes of the product's core on real files, killed at named points and at random moments; after each death
// a new start is checked.   npm run crash-test -- [--kills N] [--seed S] [--point NAME]
// A failure names seed and point, and leaves its profile.
import { spawn } from 'node:child_process';
import { buildProgram } from './processes/build.mjs';
import { option } from './processes/option.mjs';
import { ROOT } from './setup/places.mjs';
import { command, seconds } from './setup/say.mjs';

await command(async () => {
  const started = performance.now();
  const kills = option('kills', '300');
  const file = await buildProgram(ROOT, 'crash');
  const child = spawn(process.execPath, [file, kills, option('seed', '1'), ROOT, option('point', '')], {
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  console.log(`crash-test: ${kills} kills, ${code === 0 ? 'nothing was lost' : 'FAILED'} (${seconds(started)})`);
  process.exitCode = code ?? 1;
});
