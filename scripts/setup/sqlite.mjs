// better-sqlite3: its shipped binaries need Node-API 10. Where Node or Electron has less, it is compiled from its
// own sources, once, and kept in the cache. Without that, Node 20 ends in a segmentation fault, not in an error.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { npmSetting } from './npm.mjs';
import { requireFromRoot, USER_CACHE } from './places.mjs';
import { SetupError, say, seconds } from './say.mjs';
import { COMPILE_PACKAGES, ensureSystemPackages } from './system-packages.mjs';

const NAPI_NEEDED = 10;

/** Sees to it that one binary works in this Node and in the Electron of these versions. */
export function ensureSqlite(runtime, { force }) {
  const folder = path.dirname(requireFromRoot.resolve('better-sqlite3/package.json'));
  const lowest = Math.min(Number(process.versions.napi), runtime.napi);
  if (lowest >= NAPI_NEEDED) return;
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const target = path.join(folder, 'build', 'Release', 'better_sqlite3.node');
  if (!force && fs.existsSync(target) && works(target)) return;
  const name = `better-sqlite3-${version}-${process.platform}-${process.arch}-napi-experimental.node`;
  const cached = path.join(USER_CACHE, name);
  if (!fs.existsSync(cached) || !works(cached)) {
    say(
      `compiling better-sqlite3 ${version} (about 90 s): its own binary needs Node-API ${NAPI_NEEDED}, here it is ${lowest}`,
    );
    compile(folder, target, cached);
  }
  // keep only the binary: the objects and SQLite's sources are 30 MB that a package would carry
  fs.rmSync(path.join(folder, 'build'), { recursive: true, force: true });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.copyFileSync(cached, target);
  if (!works(target)) throw new SetupError('the compiled better-sqlite3 does not load');
  say(`better-sqlite3 ${version}: compiled binary in place`);
}

function compile(folder, target, cached) {
  const started = performance.now();
  ensureSystemPackages(COMPILE_PACKAGES);
  const build = spawnSync(process.execPath, [nodeGyp(), 'rebuild', '--release', '--force_build=1'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      npm_config_nodedir: process.env.npm_config_nodedir ?? npmSetting('nodedir') ?? headersBesideNode() ?? '',
      // binding.gyp asks for NAPI_VERSION=10; these come after it on the compiler's command line
      CXXFLAGS: `${process.env.CXXFLAGS ?? ''} -UNAPI_VERSION -DNAPI_EXPERIMENTAL -DNODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT`,
    },
    maxBuffer: 1 << 28,
  });
  if (build.status !== 0) {
    const end = (build.stderr || build.stdout || '').split('\n').slice(-25).join('\n');
    throw new SetupError(`better-sqlite3 did not compile (python3, make and g++ are needed):\n${end}`);
  }
  fs.mkdirSync(USER_CACHE, { recursive: true });
  const temporary = `${cached}.${process.pid}`;
  fs.copyFileSync(target, temporary);
  fs.renameSync(temporary, cached);
  say(`compiled in ${seconds(started)}`);
}

/** Prefix of the running Node where its headers lie beside it; node-gyp would download them otherwise. */
function headersBesideNode() {
  const prefix = path.resolve(path.dirname(fs.realpathSync(process.execPath)), '..');
  return fs.existsSync(path.join(prefix, 'include', 'node', 'node_api.h')) ? prefix : undefined;
}

/** Tries the binary in a process of its own, since a wrong one takes its process down. */
function works(binding) {
  const code =
    `const Database = require(${JSON.stringify(requireFromRoot.resolve('better-sqlite3'))});` +
    `const db = new Database(':memory:', { nativeBinding: ${JSON.stringify(binding)} });` +
    `process.exit(db.prepare('select 1+1').pluck().get() === 2 ? 0 : 1)`;
  return spawnSync(process.execPath, ['-e', code], { stdio: 'ignore' }).status === 0;
}

function nodeGyp() {
  try {
    return requireFromRoot.resolve('node-gyp/bin/node-gyp.js');
  } catch {
    const global = execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim();
    return path.join(global, 'npm/node_modules/node-gyp/bin/node-gyp.js');
  }
}
