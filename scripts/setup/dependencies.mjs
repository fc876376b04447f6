// node_modules, exactly as the lock says.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { npm } from './npm.mjs';
import { ROOT } from './places.mjs';
import { SetupError, say, seconds } from './say.mjs';

const LOCK = path.join(ROOT, 'package-lock.json');
const MODULES = path.join(ROOT, 'node_modules');
const STAMP = path.join(MODULES, '.palimpsest');

/** Runs `npm ci` where node_modules is missing or was made from another lock. Answers whether it ran. */
export function ensureDependencies() {
  const lock = fs.readFileSync(LOCK);
  const hash = createHash('sha256').update(lock).digest('hex');
  if (readText(STAMP) === hash) return false;
  if (matches(JSON.parse(lock.toString('utf8')))) {
    fs.writeFileSync(STAMP, hash);
    return false;
  }
  const started = performance.now();
  say('installing the dependencies from the lock (npm ci; about half a minute)');
  // scripts of packages are not run: the two that matter (Electron, better-sqlite3) are done by the next steps
  const ci = npm(['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (ci.status !== 0) throw new SetupError(`npm ci failed:\n${ci.stderr || ci.stdout}`);
  fs.writeFileSync(STAMP, hash);
  say(`dependencies are in place (${seconds(started)})`);
  return true;
}

/** Whether npm's own record of node_modules holds every package of the lock in its version. */
function matches(lock) {
  const record = readText(path.join(MODULES, '.package-lock.json'));
  if (record === null) return false;
  const installed = JSON.parse(record).packages;
  return Object.entries(lock.packages).every(
    ([place, wanted]) => place === '' || wanted.optional || wanted.link || installed[place]?.version === wanted.version,
  );
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
