#!/usr/bin/env node
// Two real processes of the product's core on one real profile: both compress, cancel, talk, die and start again, at
// random; after each round all that is stored is checked.   npm run two-processes -- [--rounds N] [--seed S]
// A failure names seed and round, and leaves its profile.
import { spawn } from 'node:child_process';
import { buildProgram } from './processes/build.mjs';
import { option } from './processes/option.mjs';
import { ROOT } from './setup/places.mjs';
import { command, seconds } from './setup/say.mjs';

await command(async () => {
  const started = performance.now();
  const rounds = option('rounds', '1000');
  const file = await buildProgram(ROOT, 'two-processes');
  const child = spawn(process.execPath, [file, rounds, option('seed', '1'), ROOT], { stdio: 'inherit' });
  const code = await new Promise((resolve) => child.on('close', resolve));
  console.log(`two-processes: ${rounds} rounds, ${code === 0 ? 'all held' : 'FAILED'} (${seconds(started)})`);
  process.exitCode = code ?? 1;
});
