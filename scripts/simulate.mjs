#!/usr/bin/env node
// Random schedules of two app processes on one database, every invariant checked after every step.
//   npm run simulate -- --runs N --seed S [--path P] [--jobs J]
// A failing seed prints its smallest schedule; --seed and --path replay it.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { build } from 'rolldown';
import { ROOT } from './setup/places.mjs';
import { command, seconds } from './setup/say.mjs';

const OUT = path.join(ROOT, 'out', 'test', 'simulation');

await command(async () => {
  const option = (name, fallback) => {
    const at = process.argv.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
    if (at < 0) return fallback;
    return process.argv[at].includes('=') ? process.argv[at].split('=')[1] : process.argv[at + 1];
  };
  const runs = Number(option('runs', 2_000));
  const seed = Number(option('seed', 1));
  const where = option('path', '');
  const jobs = where ? 1 : Math.max(1, Math.min(Number(option('jobs', os.cpus().length)), runs));
  const started = performance.now();
  await build({
    input: path.join(ROOT, 'main', 'testing', 'simulation', 'main.ts'),
    platform: 'node',
    external: [/^[a-z@]/], // packages stay packages
    logLevel: 'silent',
    output: { dir: OUT, format: 'es', entryFileNames: 'main.mjs' },
  });
  // each job has schedules of its own: seeds side by side
  const shares = Array.from({ length: jobs }, (_, i) => Math.floor(runs / jobs) + (i < runs % jobs ? 1 : 0));
  const results = await Promise.all(shares.map((share, i) => runJob(share, seed + i, where)));
  const done = results.reduce((sum, result) => sum + (result?.runs ?? 0), 0);
  const failed = results.filter((result) => !result?.ok);
  for (const result of failed) {
    if (!result) console.error('a job ended without an answer');
    else {
      console.error(`FAILED  replay: npm run simulate -- --seed ${result.seed} --path ${result.path}\n${result.why}`);
      for (const action of result.schedule) console.error(`  ${JSON.stringify(action)}`);
    }
  }
  console.log(
    `simulation: ${done} schedules, ${failed.length === 0 ? 'all invariants held' : 'FAILED'} (${seconds(started)})`,
  );
  if (failed.length > 0) process.exitCode = 1;
});

function runJob(runs, seed, where) {
  return new Promise((resolve) => {
    const args = [path.join(OUT, 'main.mjs'), String(runs), String(seed), where];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('close', () => {
      const line = out.split('\n').find((one) => one.startsWith('{'));
      resolve(line ? JSON.parse(line) : null);
    });
  });
}
