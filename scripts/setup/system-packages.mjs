// Libraries and tools that Debian and Ubuntu keep in packages: installed when we are root, named when not.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { SetupError, say } from './say.mjs';

/** What Electron needs to start; found by running it in a bare Debian 12. */
export const RUN_PACKAGES = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1'];
/** Without these it starts, but shows no notifications and stores no keys. */
export const EXTRA_PACKAGES = ['libnotify4', 'libsecret-1-0'];
/** A virtual display for tests, the demo, and machines without a screen. */
export const DISPLAY_PACKAGES = ['xvfb'];
/** What one test watches system calls with. */
export const TRACE_PACKAGES = ['strace'];
/** What compiling better-sqlite3 needs. */
export const COMPILE_PACKAGES = ['python3', 'make', 'g++'];

/** dpkg-query's own placeholders. */
const FORMAT = '-f=$' + '{Package} $' + '{db:Status-Abbrev}\n';

/**
 * Sees to it that these packages are installed; optional ones only where that needs nobody's help. On systems
 * without dpkg it does nothing.
 */
export function ensureSystemPackages(names, { optional = false } = {}) {
  if (process.platform !== 'linux' || !fs.existsSync('/usr/bin/dpkg-query')) return;
  const missing = notInstalled(names);
  if (missing.length === 0) return;
  const isRoot = process.getuid() === 0;
  if (!isRoot && optional) return;
  if (!isRoot)
    throw new SetupError(`system packages are missing. Run this once, then start again:\n  ${line(missing)}`);
  say(`installing system packages: ${missing.join(' ')}`);
  const update = apt(['update', '-qq']);
  const packages = missing.map(nameHere);
  const install = apt(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  if (install.status !== 0) {
    const told = [update.stderr, install.stderr].filter(Boolean).join('\n').trim();
    throw new SetupError(`apt-get could not install ${packages.join(' ')}:\n${told}`);
  }
}

/** The one line that installs these packages by hand. */
export function line(names) {
  return `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names.map(nameHere).join(' ')}`;
}

function notInstalled(names) {
  // releases since Ubuntu 24.04 and Debian 13 carry some libraries under a name that ends in t64
  const asked = names.flatMap((name) => [name, `${name}t64`]);
  const query = spawnSync('dpkg-query', ['-W', FORMAT, ...asked], { encoding: 'utf8' });
  const installed = new Set(
    (query.stdout ?? '')
      .split('\n')
      .filter((row) => / ii/.test(row))
      .map((row) => row.split(' ')[0]),
  );
  return names.filter((name) => !installed.has(name) && !installed.has(`${name}t64`));
}

/** The name under which this release carries the package. */
function nameHere(name) {
  if (!name.startsWith('lib')) return name;
  const show = spawnSync('apt-cache', ['show', '--no-all-versions', `${name}t64`], { stdio: 'ignore' });
  return show.status === 0 ? `${name}t64` : name;
}

function apt(args) {
  return spawnSync('apt-get', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
