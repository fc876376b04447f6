import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'rolldown';
import type { Child, Fork } from '../hosts/child';

const ROOT = join(import.meta.dirname, '../..');

/** The host's real entry, or another module, built once for plain Node children, so that tests run what the app runs. */
export async function buildHostEntry(entry = 'main/hosts/process/host.ts') {
  // Inside the tree, so that the children find node_modules.
  const folder = await mkdtemp(join(ROOT, 'node_modules/.test-host-'));
  const file = join(folder, 'host.mjs');
  await build({
    input: { host: join(ROOT, entry) },
    platform: 'node',
    external: [/^[^./]/],
    output: { dir: folder, format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    logLevel: 'silent',
  });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts hosts as plain Node children over their IPC channel; `started` hears of each. */
export function nodeFork(
  file: string,
  started: (child: ChildProcess) => void = () => {},
  { args = [], execArgv = [], quiet = false }: { args?: string[]; execArgv?: string[]; quiet?: boolean } = {},
): Fork {
  return (): Child => {
    const child = fork(file, args, {
      execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit', 'ipc'],
      env: { ...process.env, PALIMPSEST_GPU: 'off' },
    });
    started(child);
    return {
      get pid() {
        return child.pid;
      },
      port: {
        post: (frame) => {
          // A child that is gone takes nothing; its exit tells the rest.
          if (child.connected) child.send(frame as object, () => {});
        },
        onMessage: (listener) => child.on('message', listener),
        onClose: (listener) => child.once('disconnect', listener),
        close: () => {
          if (child.connected) child.disconnect();
        },
      },
      onSpawn: (listener) => child.once('spawn', listener),
      onExit: (listener) => child.once('exit', listener),
      kill: () => child.kill('SIGKILL'),
    };
  };
}
