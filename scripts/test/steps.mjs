// The steps of `npm test`, in their order. A tool counts as one test; suites count their own.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../setup/places.mjs';
import { seconds } from '../setup/say.mjs';
import { tool } from '../setup/tools.mjs';
import { countGuards, countPlaywright, countVitest } from './counts.mjs';

const REPORTS = path.join(ROOT, 'out', 'test');
const node = (script, ...args) => [process.execPath, path.join(ROOT, 'scripts', script), ...args];
const reportOf = (name) => path.join(REPORTS, `${name}.json`);

/**
 * `limitMinutes` ends a step that hangs. `count` reads the suite's report; without one the exit code is the result.
 * `loud` steps show their output as it comes, the others only when they fail.
 */
export const steps = [
  { name: 'setup', run: node('setup.mjs', '--for-tests'), limitMinutes: 20, loud: true },
  { name: 'types', run: tool('tsc', '-b'), limitMinutes: 3 },
  { name: 'types-electron-33', run: tool('tsc', '-p', 'tsconfig.e33.json'), limitMinutes: 3 },
  { name: 'lint', run: tool('biome', 'check', '--error-on-warnings', '--max-diagnostics=50', '.'), limitMinutes: 2 },
  {
    name: 'unit',
    run: tool('vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${reportOf('unit')}`),
    count: countVitest,
    limitMinutes: 10,
  },
  { name: 'guards', run: node('guards.mjs', `--report=${reportOf('guards')}`), count: countGuards, limitMinutes: 15 },
  {
    name: 'simulate',
    run: node('simulate.mjs', `--report=${reportOf('simulate')}`),
    count: countGuards,
    limitMinutes: 10,
  },
  { name: 'faults', run: node('faults.mjs', `--report=${reportOf('faults')}`), count: countGuards, limitMinutes: 10 },
  { name: 'two-processes', run: node('two-processes.mjs', '--rounds=15'), limitMinutes: 3 },
  { name: 'fidelity', run: node('fidelity.mjs'), limitMinutes: 2 },
  { name: 'crash-test', run: node('crash-test.mjs', '--kills=12'), limitMinutes: 3 },
  { name: 'build', run: node('build.mjs'), limitMinutes: 5 },
  {
    name: 'e2e',
    run: tool('playwright', 'test', '--reporter=list,json'),
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf('e2e') },
    count: countPlaywright,
    limitMinutes: 15,
    loud: true,
  },
  { name: 'package', run: node('package.mjs'), env: { PACKAGE_FOR_E2E: '1' }, limitMinutes: 10 },
  {
    name: 'e2e-packaged',
    run: tool('playwright', 'test', '--grep=@packaged', '--reporter=list,json'),
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf('e2e-packaged'), PALIMPSEST_PACKAGED: packagedExecutable() },
    count: countPlaywright,
    limitMinutes: 5,
    loud: true,
  },
];

/** What `npm run package` makes for this system. */
function packagedExecutable() {
  const dist = path.join(ROOT, 'dist');
  if (process.platform === 'darwin') {
    const folder = process.arch === 'arm64' ? 'mac-arm64' : 'mac';
    return path.join(dist, folder, 'Palimpsest.app', 'Contents', 'MacOS', 'Palimpsest');
  }
  if (process.platform === 'win32') return path.join(dist, 'win-unpacked', 'Palimpsest.exe');
  return path.join(dist, process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`, 'palimpsest');
}

/** Runs one step and answers its counts; what went wrong is printed. */
export async function runStep(step) {
  const started = performance.now();
  console.log(`\n== ${step.name}`);
  const report = reportOf(step.name);
  fs.mkdirSync(REPORTS, { recursive: true });
  fs.rmSync(report, { force: true });
  const { code, output } = await runProgram(step);
  if (code !== 0 && !step.loud) console.log(output);
  const result = step.count
    ? suiteResult(step, report, code)
    : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  console.log(`== ${step.name}: ${result.passed} passed, ${result.failed} failed (${seconds(started)})`);
  return result;
}

/** A suite that ended badly is never counted as green, whatever its report says. */
function suiteResult(step, report, code) {
  let counts;
  try {
    counts = step.count(JSON.parse(fs.readFileSync(report, 'utf8')));
  } catch (error) {
    console.log(`${step.name} left no readable report: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
  if (counts.skipped > 0) console.log(`${step.name}: ${counts.skipped} skipped, counted as failed`);
  const failed = counts.failed + counts.skipped;
  return { passed: counts.passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

function runProgram(step) {
  const [program, ...args] = step.run;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...step.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk) => {
      if (step.loud) process.stdout.write(chunk);
      else output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const limit = setTimeout(() => {
      console.log(`${step.name} did not end within ${step.limitMinutes} minutes and is stopped`);
      child.kill('SIGTERM');
    }, step.limitMinutes * 60_000);
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ code: code ?? 1, output: output.trim() });
    });
  });
}
