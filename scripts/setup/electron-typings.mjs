// Typings of the older Electron, so that `tsc -p tsconfig.e33.json` sees what would not run on it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fetchArchive } from './npm.mjs';
import { LOCAL_CACHE, USER_CACHE } from './places.mjs';
import { say } from './say.mjs';

const VERSION = '33.2.1';
const INTEGRITY = 'sha512-SG/nmSsK9Qg1p6wAW+ZfqU+AV8cmXMTIklUL18NnOKfZLlum4ZsDoVdmmmlL39ZmeCaq27dr7CgslRPahfoVJg==';

/** Puts electron.d.ts into .cache/electron-33/. */
export async function ensureElectronTypings() {
  const target = path.join(LOCAL_CACHE, 'electron-33', 'electron.d.ts');
  if (fs.existsSync(target)) return;
  const cached = path.join(USER_CACHE, `electron-${VERSION}.d.ts`);
  if (!fs.existsSync(cached)) {
    say(`fetching the typings of Electron ${VERSION}`);
    fs.mkdirSync(USER_CACHE, { recursive: true });
    const work = fs.mkdtempSync(path.join(USER_CACHE, 'typings-'));
    try {
      const archive = await fetchArchive(`electron@${VERSION}`, INTEGRITY, work);
      execFileSync('tar', ['-xzf', archive, '-C', work, 'package/electron.d.ts']);
      fs.renameSync(path.join(work, 'package', 'electron.d.ts'), cached);
    } finally {
      fs.rmSync(work, { recursive: true, force: true });
    }
  }
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.copyFileSync(cached, `${target}.${process.pid}`);
  fs.renameSync(`${target}.${process.pid}`, target);
}
