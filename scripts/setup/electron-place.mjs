// The Electron in node_modules: where it lies and whether it starts.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { requireFromRoot } from './places.mjs';
import { SetupError, say } from './say.mjs';
import { DISPLAY_PACKAGES, line, RUN_PACKAGES } from './system-packages.mjs';

/** Paths of the installed electron package; it must be there. */
export function electronPlace() {
  const folder = path.dirname(requireFromRoot.resolve('electron/package.json'));
  return {
    folder,
    dist: path.join(folder, 'dist'),
    pathFile: path.join(folder, 'path.txt'),
    version: JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version,
  };
}

/** Path of the executable that electron's own launcher would start, null where there is none. */
export function electronExecutable() {
  const place = electronPlace();
  try {
    const relative = fs.readFileSync(place.pathFile, 'utf8');
    const file = path.join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? place.dist, relative);
    return fs.existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

const PROBE =
  'JSON.stringify({electron:process.versions.electron,node:process.versions.node,napi:+process.versions.napi,' +
  'modules:process.versions.modules,chrome:process.versions.chrome})';

/** Versions of the Electron in place, or null where none starts. The answer is kept beside the executable. */
export function inspectElectron() {
  const executable = electronExecutable();
  if (executable === null) return null;
  const stamp = path.join(path.dirname(executable), 'runtime.json');
  const stat = fs.statSync(executable);
  const key = `${stat.size}:${Math.trunc(stat.mtimeMs)}`;
  const known = readJson(stamp);
  if (known?.key === key) return known;
  const probe = spawnSync(executable, ['-p', PROBE], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8',
    timeout: 20_000,
  });
  if (probe.status !== 0) {
    const missing = /error while loading shared libraries: (\S+):/.exec(probe.stderr ?? '')?.[1];
    if (missing) {
      throw new SetupError(
        `Electron needs the system library ${missing}. On Debian and Ubuntu:\n  ${line([...RUN_PACKAGES, ...DISPLAY_PACKAGES])}`,
      );
    }
    const why = probe.error?.message ?? probe.stderr?.trim().split('\n')[0] ?? probe.signal;
    say(`the Electron in place does not start (${why}); setting it up again`);
    return null;
  }
  const runtime = { key, ...JSON.parse(probe.stdout) };
  try {
    fs.writeFileSync(stamp, JSON.stringify(runtime));
  } catch {
    // a read-only distribution is asked again next time
  }
  return runtime;
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
