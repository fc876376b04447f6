#!/usr/bin/env node
// Proves that the pinned tests bite: each main/testing/guards/*.patch takes one guard out of a scratch copy, which
// must still compile and must make the named test fail by an assertion.
//   node scripts/guards.mjs [--report=FILE] [PATCH ...]
// A patch begins with a header:
//   # title: P07         the test that must go red: a pinned number, or the start of a test's title
//   # also: P17 P18      other pinned tests that go red with it (left out where there are none)
// then, after any comment, the diff.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readPatch, sameTitle } from './guards/patch.mjs';
import { applyPatch, makeScratchCopy, runPinnedTests, typeCheck } from './guards/scratch.mjs';
import { ROOT } from './setup/places.mjs';
import { command, seconds } from './setup/say.mjs';

const FOLDER = path.join(ROOT, 'main', 'testing', 'guards');
/** Scratch copies that work at the same time. */
const AT_ONCE = Math.max(1, Math.min(4, os.cpus().length));

await command(async () => {
  const flags = process.argv.slice(2);
  const report = flags.find((flag) => flag.startsWith('--report='))?.slice('--report='.length);
  const named = flags.filter((flag) => !flag.startsWith('--'));
  const all = fs.existsSync(FOLDER) ? fs.readdirSync(FOLDER).filter((name) => name.endsWith('.patch')) : [];
  const waiting = all.filter((name) => named.length === 0 || named.includes(name.slice(0, -6))).sort();
  const failed = [];
  let passed = 0;
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const started = performance.now();
      const faults = await prove(path.join(FOLDER, name));
      if (faults.length === 0) passed++;
      else failed.push({ name, faults });
      console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(started)})`);
      for (const fault of faults) console.log(`       ${fault.replaceAll('\n', '\n       ')}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (report) fs.writeFileSync(report, JSON.stringify({ passed, failed }));
  console.log(`guards: ${passed} passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
});

/** Takes one guard out and answers what was wrong, in words; an empty list = the guard is proved. */
async function prove(file) {
  const patch = readPatch(fs.readFileSync(file, 'utf8'));
  if (patch.title === null) return ['the first lines name no `# title:`'];
  const scratch = makeScratchCopy();
  try {
    const refused = await applyPatch(scratch, file);
    if (refused) return [`the patch no longer applies:\n${refused}`];
    const errors = await typeCheck(scratch);
    if (errors) return [`does not compile without its guard:\n${errors}`];
    const run = await runPinnedTests(scratch, patch.title);
    if (run.fault) return [run.fault];
    return judge(patch, run.tests);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

function judge(patch, tests) {
  const own = tests.filter((test) => sameTitle(test.titles, patch.title));
  if (own.length === 0) return [`no test has the title ${patch.title}`];
  const faults = [];
  const red = own.filter((test) => test.status === 'failed');
  if (red.length === 0) faults.push(`${patch.title} still passes without its guard`);
  else if (!red.some((test) => test.byAssertion)) {
    faults.push(`${patch.title} fails, but not by an assertion: ${red[0].message}`);
  }
  const others = tests.filter((test) => test.status === 'failed' && !own.includes(test));
  for (const other of others) {
    if (!patch.also.some((title) => sameTitle(other.titles, title))) {
      faults.push(`goes red too, and is not listed under "# also": ${other.titles.at(-1)}`);
    }
  }
  return faults;
}
