// The npm that runs us, or the one on the PATH.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './places.mjs';
import { SetupError } from './say.mjs';

export function npm(args, options = {}) {
  const cli = process.env.npm_execpath;
  const [program, before] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  const result = spawnSync(program, [...before, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
    shell: program === 'npm' && process.platform === 'win32',
    ...options,
    env: { ...process.env, npm_config_dry_run: 'false', ...options.env },
  });
  if (result.error) throw new SetupError(`npm cannot be run (${result.error.message}): it comes with Node.js`);
  return result;
}

/** Value of one npm setting, undefined where it is not set. */
export function npmSetting(key) {
  const value = npm(['config', 'get', key], { stdio: ['ignore', 'pipe', 'ignore'] }).stdout?.trim();
  return value && value !== 'undefined' && value !== 'null' ? value : undefined;
}

/** Fetches one package through npm's registry, proxy and cache settings and answers the archive's path. */
export async function fetchArchive(spec, integrity, folder) {
  const pack = npm(['pack', spec, '--json', '--ignore-scripts', '--pack-destination', folder]);
  if (pack.status !== 0) throw new SetupError(`npm pack ${spec} failed (see above)`);
  const name = fs.readdirSync(folder).find((entry) => entry.endsWith('.tgz'));
  if (!name) throw new SetupError(`npm pack ${spec} left no archive`);
  const archive = path.join(folder, name);
  const digest = `sha512-${await sha512(archive)}`;
  if (digest !== integrity) throw new SetupError(`${spec} has integrity ${digest}, expected ${integrity}`);
  return archive;
}

function sha512(file) {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha512');
    fs.createReadStream(file)
      .on('data', (chunk) => hash.update(chunk))
      .on('error', reject)
      .on('end', () => resolve(hash.digest('base64')));
  });
}
