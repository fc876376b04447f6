// Builds the simulation of a source tree, and runs one job of it in a process of its own.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { build } from 'rolldown';

/** Bundles the simulation of the tree at `root`; answers the file to run. */
export async function buildSimulation(root) {
  const dir = path.join(root, 'out', 'test', 'simulation');
  await build({
    cwd: root,
    input: path.join(root, 'main', 'testing', 'simulation', 'main.ts'),
    platform: 'node',
    external: [/^[a-z@]/], // packages stay packages
    logLevel: 'silent',
    output: { dir, format: 'es', entryFileNames: 'main.mjs' },
  });
  return path.join(dir, 'main.mjs');
}

/**
 * Runs schedules; answers { ok, runs } and, of a failure, { seed, path, schedule, why }. null = the job ended without an
 * answer. `limitMs` ends a job that hangs.
 */
export function runJob(file, { runs, seed, where = '', shrink = true, limitMs = 0 }) {
  return new Promise((resolve) => {
    const args = [file, String(runs), String(seed), where, shrink ? 'shrink' : 'as-is'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const limit = limitMs > 0 ? setTimeout(() => child.kill('SIGKILL'), limitMs) : null;
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('close', () => {
      if (limit) clearTimeout(limit);
      const line = out.split('\n').find((one) => one.startsWith('{'));
      resolve(line ? JSON.parse(line) : null);
    });
  });
}
