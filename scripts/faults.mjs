#!/usr/bin/env node
// Proves that the simulation can fail: each main/testing/faults/*.patch plants one fault in a scratch copy, which the
// simulation must find, by the name of an invariant, within a number of schedules.
//   node scripts/faults.mjs [--report=FILE] [--runs=N] [--seed=S] [PATCH ...]
// A patch begins with a header:
//   # breaks: I3 I5     invariants one of which must be the first that is found broken
//   # seed: 2           (optional) where the search begins: a fault that shows seldom is met sooner from there
// then what the fault is, and the diff.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readPatch } from './guards/patch.mjs';
import { applyPatch, copyScratch, makeScratchCopy, revertPatch } from './guards/scratch.mjs';
import { buildProgram } from './processes/build.mjs';
import { ROOT } from './setup/places.mjs';
import { command, seconds } from './setup/say.mjs';
import { runJob } from './simulation/job.mjs';

const FOLDER = path.join(ROOT, 'main', 'testing', 'faults');
const AT_ONCE = Math.max(1, Math.min(4, os.cpus().length));
const LIMIT_MS = 600_000;

await command(async () => {
  const flags = process.argv.slice(2);
  const option = (name, fallback) =>
    flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3) ?? fallback;
  const named = flags.filter((flag) => !flag.startsWith('--'));
  const search = {
    runs: Number(option('runs', 2_000)),
    seed: option('seed', null),
    shrink: false,
    limitMs: LIMIT_MS,
  };
  const all = fs.readdirSync(FOLDER).filter((name) => name.endsWith('.patch'));
  const waiting = all.filter((name) => named.length === 0 || named.includes(name.slice(0, -6))).sort();
  const count = Math.min(AT_ONCE, waiting.length);
  const failed = [];
  let passed = 0;
  const work = async (scratch) => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const started = performance.now();
      const { fault, found } = await find(scratch, path.join(FOLDER, name), search);
      if (fault) failed.push({ name, fault });
      else passed++;
      console.log(`${fault ? 'FAIL' : 'ok  '} ${name.slice(0, -6)} (${seconds(started)}) ${fault ?? found}`);
    }
  };
  const scratches = [makeScratchCopy()];
  try {
    while (scratches.length < count) scratches.push(copyScratch(scratches[0]));
    await Promise.all(scratches.map(work));
  } finally {
    for (const scratch of scratches) fs.rmSync(scratch, { recursive: true, force: true });
  }
  const report = option('report', null);
  if (report) fs.writeFileSync(report, JSON.stringify({ passed, failed }));
  console.log(`faults: ${passed} found, ${failed.length} not found`);
  if (failed.length > 0) process.exitCode = 1;
});

/** Plants one fault, searches, and takes it out again. Answers { found } in words, or { fault } = what was wrong. */
async function find(scratch, file, search) {
  const { breaks, seed } = readPatch(fs.readFileSync(file, 'utf8'));
  if (breaks.length === 0) return { fault: 'the first lines name no `# breaks:`' };
  const refused = await applyPatch(scratch, file);
  if (refused) return { fault: `the patch no longer applies:\n${refused}` };
  try {
    const result = await runJob(await buildProgram(scratch, 'simulation'), {
      ...search,
      seed: Number(search.seed ?? seed ?? 1),
    });
    if (!result) return { fault: 'the simulation ended without an answer' };
    if (result.ok) return { fault: `not found in ${result.runs} schedules` };
    const [why] = result.why.split('\n');
    const name = /^Broken: (I\d+) /.exec(why)?.[1];
    if (!breaks.includes(name)) return { fault: `schedule ${result.runs} failed otherwise: ${result.why}` };
    return { found: `schedule ${result.runs}: ${why}` };
  } finally {
    await revertPatch(scratch, file);
  }
}
