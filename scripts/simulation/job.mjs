// Runs one job of the simulation in a process of its own.
import { spawn } from 'node:child_process';

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
