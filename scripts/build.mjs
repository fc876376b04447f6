#!/usr/bin/env node
// Builds main, preload and renderer into out/ where a source has changed since the last build.
//   node scripts/build.mjs [--force]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './setup/places.mjs';
import { command, SetupError, say, seconds } from './setup/say.mjs';
import { tool } from './setup/tools.mjs';

const FOLDERS = ['main', 'preload', 'renderer', 'shared'];
const FILES = ['electron.vite.config.ts', 'package-lock.json', 'package.json', 'tsconfig.base.json'];
const STAMP = path.join(ROOT, 'out', '.sources');

/** Answers whether it built. */
export function buildWhenChanged({ force = false } = {}) {
  const sources = sourcesHash();
  if (!force && fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === sources) return false;
  const started = performance.now();
  fs.rmSync(STAMP, { force: true });
  const [program, ...args] = tool('electron-vite', 'build');
  const build = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (build.status !== 0) throw new SetupError(`the build failed:\n${build.stdout}\n${build.stderr}`);
  fs.writeFileSync(STAMP, sources);
  say(`built (${seconds(started)})`);
  return true;
}

/** One hash over all that the build reads, tests apart. */
function sourcesHash() {
  const hash = createHash('sha256');
  const add = (relative) => hash.update(`${relative}\0`).update(fs.readFileSync(path.join(ROOT, relative)));
  for (const folder of FOLDERS) {
    const entries = fs.readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name));
    const paths = files.map((entry) => path.relative(ROOT, path.join(entry.parentPath ?? entry.path, entry.name)));
    for (const relative of paths.sort()) add(relative);
  }
  for (const file of FILES) add(file);
  return hash.digest('hex');
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await command(() => {
    if (!buildWhenChanged({ force: process.argv.includes('--force') })) say('the build is up to date');
  });
}
