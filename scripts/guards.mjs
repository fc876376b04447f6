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
import { readPatch, sameTitle, shortTitle } from './guards/patch.mjs';
import { applyPatch, copyScratch, makeScratchCopy, revertPatch, runPinnedTests, typeCheck } from './guards/scratch.mjs';
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
  const work = async (scratch) => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const started = performance.now();
      const { faults, also } = await prove(scratch, path.join(FOLDER, name));
      if (faults.length === 0) passed++;
      else failed.push({ name, faults });
      const others = also.length === 0 ? '' : `, also red: ${also.join(' ')}`;
      console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(started)})${others}`);
      for (const fault of faults) console.log(`       ${fault.replaceAll('\n', '\n       ')}`);
    }
  };
  const scratches = [makeScratchCopy()];
  try {
    // the sources as they are must compile: each copy then checks again only what its patch changed
    const errors = await typeCheck(scratches[0]);
    if (errors) throw new Error(`the sources do not compile as they are:\n${errors}`);
    while (scratches.length < Math.min(AT_ONCE, waiting.length)) scratches.push(copyScratch(scratches[0]));
    await Promise.all(scratches.map(work));
  } finally {
    for (const scratch of scratches) fs.rmSync(scratch, { recursive: true, force: true });
  }
  if (report) fs.writeFileSync(report, JSON.stringify({ passed, failed }));
  console.log(`guards: ${passed} passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
});

/**
 * Takes one guard out and puts it back. Answers what was wrong, in words (an empty list = the guard is proved), and
 * which other tests went red with it.
 */
async function prove(scratch, file) {
  const fault = (text) => ({ faults: [text], also: [] });
  const patch = readPatch(fs.readFileSync(file, 'utf8'));
  if (patch.title === null) return fault('the first lines name no `# title:`');
  const refused = await applyPatch(scratch, file);
  if (refused) return fault(`the patch no longer applies:\n${refused}`);
  try {
    const errors = await typeCheck(scratch);
    if (errors) return fault(`does not compile without its guard:\n${errors}`);
    const run = await runPinnedTests(scratch, patch.title);
    return run.fault ? fault(run.fault) : judge(patch, run.tests);
  } finally {
    await revertPatch(scratch, file);
  }
}

function judge(patch, tests) {
  const own = tests.filter((test) => sameTitle(test.titles, patch.title));
  if (own.length === 0) return { faults: [`no test has the title ${patch.title}`], also: [] };
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
  for (const title of patch.also) {
    if (!others.some((test) => sameTitle(test.titles, title)))
      faults.push(`listed under "# also", but green: ${title}`);
  }
  return { faults, also: [...new Set(others.map((test) => shortTitle(test.titles)))] };
}
