#!/usr/bin/env node
// Random schedules of two app processes on one database, every invariant checked after every step.
//   npm run simulate -- [--runs N] [--seed S] [--path P] [--jobs J] [--report=FILE]
// A failing seed prints its smallest schedule; --seed and --path replay it.
import fs from 'node:fs';
import os from 'node:os';
import { buildProgram } from './processes/build.mjs';
import { option } from './processes/option.mjs';
import { ROOT } from './setup/places.mjs';
import { command, seconds } from './setup/say.mjs';
import { runJob } from './simulation/job.mjs';

await command(async () => {
  const runs = Number(option('runs', 2_000));
  const seed = Number(option('seed', 1));
  const where = option('path', '');
  const report = option('report', null);
  const jobs = where ? 1 : Math.max(1, Math.min(Number(option('jobs', os.cpus().length)), runs));
  const started = performance.now();
  const file = await buildProgram(ROOT, 'simulation');
  // each job has schedules of its own: seeds side by side
  const shares = Array.from({ length: jobs }, (_, i) => Math.floor(runs / jobs) + (i < runs % jobs ? 1 : 0));
  const results = await Promise.all(shares.map((share, i) => runJob(file, { runs: share, seed: seed + i, where })));
  const done = results.reduce((sum, result) => sum + (result?.runs ?? 0), 0);
  const failed = results.filter((result) => !result?.ok);
  for (const result of failed) {
    if (!result) console.error('a job ended without an answer');
    else {
      console.error(`FAILED  replay: npm run simulate -- --seed ${result.seed} --path ${result.path}\n${result.why}`);
      for (const action of result.schedule) console.error(`  ${JSON.stringify(action)}`);
    }
  }
  if (report)
    fs.writeFileSync(report, JSON.stringify({ passed: done - failed.length, failed: failed.map((one) => one ?? {}) }));
  console.log(
    `simulation: ${done} schedules, ${failed.length === 0 ? 'all invariants held' : 'FAILED'} (${seconds(started)})`,
  );
  if (failed.length > 0) process.exitCode = 1;
});
