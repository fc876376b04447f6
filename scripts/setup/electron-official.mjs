// The official Electron, through its own install.js: its cache, mirror variables and checksums apply.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { electronPlace, inspectElectron } from './electron-place.mjs';
import { say } from './say.mjs';

/** How long the network may stay silent, in milliseconds. */
const SILENCE_MS = 15_000;

/** Answers the versions of the fetched Electron, or null where it is not to be had. */
export async function officialElectron() {
  if (process.env.ELECTRON_SKIP_BINARY_DOWNLOAD) return null;
  const place = electronPlace();
  const limit = Number(process.env.ELECTRON_SETUP_TIMEOUT_MS ?? SILENCE_MS);
  say(`fetching the official Electron ${place.version} (${limit / 1000} s for the network to answer)`);
  fs.rmSync(place.dist, { recursive: true, force: true });
  fs.rmSync(place.pathFile, { force: true });
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'electron-get-'));
  const install = await runInstaller(place, scratch, limit);
  fs.rmSync(scratch, { recursive: true, force: true });
  const runtime = install.code === 0 ? inspectElectron() : null;
  if (runtime) say(`official Electron ${runtime.electron} is in place`);
  else say(`the official binary is not to be had here (${install.reason})`);
  return runtime;
}

/** The download's own directory grows while it makes progress; only silence counts against the limit. */
async function runInstaller(place, scratch, limit) {
  const child = spawn(process.execPath, [path.join(place.folder, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: scratch, force_no_cache: undefined },
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  let last = -1;
  let since = performance.now();
  let timedOut = false;
  const watch = setInterval(() => {
    const now = sizeOf(scratch) + sizeOf(place.dist);
    if (now !== last) {
      last = now;
      since = performance.now();
    } else if (performance.now() - since > limit) {
      timedOut = true;
      child.kill('SIGKILL');
    }
  }, 500);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  return { code, reason: timedOut ? 'no answer in time' : reasonIn(errors, code) };
}

function reasonIn(errors, code) {
  const named = /\b(?:code: '(\w+)'|(E[A-Z]{4,}|HTTPError[^\n]*))/.exec(errors)?.slice(1).find(Boolean);
  return named ?? (errors.trim().split('\n')[0] || `exit ${code}`);
}

function sizeOf(folder) {
  try {
    return fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .reduce(
        (sum, entry) =>
          sum + (entry.isFile() ? fs.statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size : 1),
        0,
      );
  } catch {
    return 0; // files come and go while the installer works
  }
}
