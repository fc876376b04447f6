// A scratch copy of the sources in which a guard can be taken out, and the checks that run in it.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../setup/places.mjs';
import { tool } from '../setup/tools.mjs';
import { pinned, testPattern } from './patch.mjs';

const COPIED = [
  'main',
  'shared',
  'preload',
  '.tsc',
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'vitest.config.ts',
];
/** Longest time for one type-check and for one run of the pinned tests, in milliseconds. */
const LIMIT_MS = 120_000;

/** Copies the sources to a new folder under the system's temporary one; node_modules is linked. */
export function makeScratchCopy() {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-'));
  for (const name of COPIED) {
    const from = path.join(ROOT, name);
    if (fs.existsSync(from)) {
      fs.cpSync(from, path.join(scratch, name), { recursive: true, preserveTimestamps: true });
    }
  }
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(scratch, 'node_modules'), 'junction');
  if (fs.existsSync(path.join(ROOT, '.cache'))) {
    fs.symlinkSync(path.join(ROOT, '.cache'), path.join(scratch, '.cache'), 'junction');
  }
  return scratch;
}

/** A second copy, with what the first one has built. */
export function copyScratch(scratch) {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-'));
  fs.cpSync(scratch, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return copy;
}

/** Answers null, or why the patch does not apply. */
export async function applyPatch(scratch, file) {
  const apply = await gitApply(scratch, file);
  return apply.code === 0 ? null : apply.output;
}

/** Puts the guard back. @throws Error where that is not possible: nothing more can be proved in this copy. */
export async function revertPatch(scratch, file) {
  const apply = await gitApply(scratch, '--reverse', file);
  if (apply.code !== 0) throw new Error(`the guard could not be put back:\n${apply.output}`);
}

function gitApply(scratch, ...args) {
  // without a repository around it, git applies a patch to plain files
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(scratch) };
  return run(['git', 'apply', '--whitespace=nowarn', ...args], scratch, env);
}

/** Answers null, or the compiler's errors. */
export async function typeCheck(scratch) {
  const check = await run(tool('tsc', '-b', 'main'), scratch);
  return check.code === 0 ? null : check.output;
}

/**
 * Runs the pinned tests (and those with this title) of the copy. Answers { tests } with titles, status and whether
 * an assertion failed, or { fault } where no result came.
 */
export async function runPinnedTests(scratch, title) {
  const files = testFiles(scratch).filter((file) => mentions(path.join(scratch, file), title));
  if (files.length === 0) return { fault: `no test file mentions ${title}` };
  const report = path.join(scratch, 'guard-report.json');
  fs.rmSync(report, { force: true });
  // one process for all files: loading the product anew for each takes longer than their tests
  const how = ['--project=node', '--no-isolate', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`];
  const vitest = await run(tool('vitest', 'run', ...how, '-t', testPattern(title), ...files), scratch);
  if (vitest.timedOut) return { fault: `the tests did not end within ${LIMIT_MS / 1000} s` };
  if (!fs.existsSync(report)) return { fault: `the tests gave no report:\n${vitest.output}` };
  const results = JSON.parse(fs.readFileSync(report, 'utf8')).testResults;
  const broken = results.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  if (broken.length > 0) return { fault: `test files do not load:\n${broken.map((file) => file.message).join('\n')}` };
  const tests = results.flatMap((file) => file.assertionResults).filter(({ status }) => /passed|failed/.test(status));
  return { tests: tests.map(testOf) };
}

function testOf({ title, ancestorTitles, status, failureMessages }) {
  return {
    titles: [...ancestorTitles, title],
    status,
    message: failureMessages[0]?.split('\n')[0] ?? '',
    byAssertion: failureMessages.some((message) => /^AssertionError\b/.test(message)),
  };
}

function testFiles(scratch) {
  return ['main', 'shared']
    .flatMap((folder) =>
      fs.readdirSync(path.join(scratch, folder), { recursive: true }).map((f) => path.join(folder, f)),
    )
    .filter((file) => file.endsWith('.test.ts'));
}

function mentions(file, title) {
  const text = fs.readFileSync(file, 'utf8');
  return /['"`]P\d+\b/.test(text) || (pinned(title).length === 0 && text.includes(title));
}

/** Runs a program in a process group of its own, which is killed as a whole at the limit. */
function run([program, ...args], cwd, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let timedOut = false;
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const limit = setTimeout(() => {
      timedOut = true;
      process.kill(-child.pid, 'SIGKILL');
    }, LIMIT_MS);
    child.on('error', (error) => {
      clearTimeout(limit);
      resolve({ code: 127, output: error.message, timedOut });
    });
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ code, output: output.trim(), timedOut });
    });
  });
}
