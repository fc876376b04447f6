// Each ban of biome.json, proved by a planted violation, beside imports that must stay allowed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './setup/places.mjs';
import { tool } from './setup/tools.mjs';

const DOORS = "Electron's IPC has two doors";
const NO_ELECTRON = 'Electron is for main/ and preload/ only';
const PAGE = 'The renderer is a page';
const FEATURE = 'A feature may not import another';
const SQL = 'SQL lives in main/db';
const HOST = 'A utility process may import';
const SHARED = 'shared/ may import only shared/ and zod';
const NODE = 'references a Node.js builtin module';

/** [file, imported, what the linter must say]; null = nothing. */
const planted = [
  ['renderer/features/sidebar/electron.ts', 'electron', NO_ELECTRON],
  ['renderer/stores/electron.ts', 'electron', NO_ELECTRON],
  ['renderer/stores/node.ts', 'node:fs', NODE],
  ['renderer/stores/main.ts', '../../main/lib/clock', PAGE],
  ['renderer/features/sidebar/main.ts', '../../../main/lib/clock', PAGE],
  ['renderer/features/sidebar/cross.ts', '../transcript/row', FEATURE],
  ['renderer/features/sidebar/parts/cross.ts', '../../transcript/row', FEATURE],
  ['renderer/features/quick-chat/cross.ts', '../composer/field', FEATURE],
  ['renderer/features/sidebar/own.ts', './row', null],
  ['renderer/features/context/shared.ts', '../../../shared/model/context', null],
  ['renderer/features/settings/store.ts', '../../stores/settings', null],
  ['preload/node.ts', 'node:path', NODE],
  ['preload/main.ts', '../main/lib/clock', 'The preload is sandboxed'],
  ['preload/electron.ts', 'electron', null],
  ['main/app/sqlite.ts', 'better-sqlite3', SQL],
  ['main/ipc/sqlite.ts', 'better-sqlite3', SQL],
  ['main/hosts/process/sqlite.ts', 'better-sqlite3', SQL],
  ['main/db/sqlite.ts', 'better-sqlite3', null],
  ['main/hosts/process/electron.ts', 'electron', 'knows no Electron'],
  ['main/hosts/process/db.ts', '../../db/open', HOST],
  ['main/hosts/process/handle.ts', '../stream-handle', HOST],
  ['main/hosts/process/port.ts', '../protocol', null],
  ['main/hosts/process/shared.ts', '../../../shared/model/compression', null],
  ['shared/main.ts', '../main/lib/clock', SHARED],
  ['shared/model/deep.ts', '../../main/lib/clock', SHARED],
  ['shared/package.ts', 'react', SHARED],
  ['shared/node.ts', 'node:fs', SHARED],
  ['shared/model/own.ts', './ids', null],
  ['shared/model/zod.ts', 'zod', null],
  ['e2e/electron.ts', 'electron', NO_ELECTRON],
];
const doors = [
  ['main/app/ipc-main.ts', "import { ipcMain as x } from 'electron';", DOORS],
  ['main/app/ipc-renderer.ts', "import { ipcRenderer as x } from 'electron';", DOORS],
  ['main/db/ipc-main.ts', "import { ipcMain as x } from 'electron';", DOORS],
  ['main/app/whole.ts', "import x from 'electron';", DOORS],
  ['main/app/star.ts', "import * as x from 'electron';", DOORS],
  ['main/app/window.ts', "import { BrowserWindow as x } from 'electron';", null],
  ['main/app/send.ts', "const x = window.webContents.send('a');", DOORS],
  ['main/app/post.ts', "const x = webContents.postMessage('a', null);", DOORS],
  ['main/app/port.ts', "const x = port1.postMessage('a');", null],
  ['main/ipc/send.ts', "const x = contents.send('a');", null],
  ['main/ipc/router.ts', "import { ipcMain as x } from 'electron';", null],
];
const cases = [...planted.map(([file, from, said]) => [file, `import { x } from '${from}';`, said]), ...doors];

let folder;
let messages;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lint-bans-'));
  fs.copyFileSync(path.join(ROOT, 'biome.json'), path.join(folder, 'biome.json'));
  fs.cpSync(path.join(ROOT, 'scripts', 'lint'), path.join(folder, 'scripts', 'lint'), { recursive: true });
  for (const [file, line] of cases) write(file, `${line}\n\nconsole.log(x);\n`);
  write('main/lib/long.ts', 'export {};\n'.repeat(401));
  write('main/lib/camelCase.ts', 'export {};\n');
  const [program, ...args] = tool('biome', 'lint', '--reporter=json', '--max-diagnostics=500', '.');
  const lint = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  messages = JSON.parse(lint.stdout).diagnostics.map(({ location, message }) => ({
    file: location.path?.file ?? location.path,
    message: typeof message === 'string' ? message : message.map((part) => part.content).join(''),
  }));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function write(file, text) {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  fs.writeFileSync(path.join(folder, file), text);
}
const about = (file) => messages.filter((entry) => entry.file === file).map((entry) => entry.message);

test.each(cases)('%s: %s', (file, _line, said) => {
  if (said === null) expect(about(file)).toEqual([]);
  else expect(about(file).join('\n')).toContain(said);
});

test('a file of more than 400 lines, and a name that is not kebab-case', () => {
  expect(about('main/lib/long.ts').join('\n')).toContain('too many lines');
  expect(about('main/lib/camelCase.ts').join('\n')).toContain('kebab-case');
});
