/**
 * The product's core as a process of its own, without windows: `composeApp` on a real profile, its data thread, its
 * hosts as real children. It answers the app's routes over Node's IPC channel and reports the core's events.
 */
import { composeApp } from '../../compose';
import { migrations } from '../../db/migrate';
import type { Handlers } from '../../ipc/handlers';
import { Router } from '../../ipc/router';
import { systemClock } from '../../lib/clock';
import { Emitter } from '../../lib/emitter';
import { systemIds } from '../../lib/ids';
import type { Log } from '../../lib/log';
import { arm } from '../crash/arm';
import { nodeFork } from '../node-fork';
import { straightNetwork } from '../straight-network';
import type { CoreStart, FromCore, ToCore } from './core-messages';

const start = JSON.parse(process.argv[2] ?? '{}') as CoreStart;
const say = (message: FromCore) => void process.send?.(message);
const log: Log = {
  info: () => {},
  warn: (event, fields) => say({ t: 'log', line: `${event} ${JSON.stringify(fields ?? {})}` }),
  error: (event, error) => say({ t: 'log', line: `${event}: ${error instanceof Error ? error.stack : String(error)}` }),
};

if (start.kill) arm(start.kill);
if (start.oneMoreStep)
  (migrations as string[]).push(
    `CREATE TABLE one_more (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
     INSERT INTO one_more (text) SELECT text FROM messages;`,
  );
process.on('disconnect', () => process.exit(0)); // a parent that is gone needs nothing more of it

const core = await composeApp({
  profile: start.profile,
  practiceModel: '', // none
  hub: 'http://127.0.0.1:9', // nothing is downloaded here
  memoryBytes: 16e9,
  dataThreadEntry: start.dataThread,
  clock: systemClock,
  ids: systemIds,
  log,
  shell: {
    facts: () => ({
      platform: 'linux',
      version: 'test',
      dark: false,
      trayAvailable: false,
      shortcutDoubt: null,
      shortcutRefusal: null,
    }),
    pickFiles: async () => [],
    pickTarget: async () => null,
    pickFolder: async () => null,
    confirm: async () => false,
    power: new Emitter(),
    onBattery: () => false,
    keyring: { available: () => false, encrypt: (text) => Buffer.from(text), decrypt: (bytes) => bytes.toString() },
    fork: nodeFork(start.host),
    network: straightNetwork,
  },
});
core.events.on((event) => say({ t: 'event', event, wall: systemClock.wall() }));

const router = new Router(core.handlers as Handlers, log); // the shell's own routes are never asked
process.on('message', async (message: ToCore) => {
  if (message.t === 'quit') {
    await core.quit();
    process.exit(0);
  }
  const { id, route, input } = message;
  say({ t: 'reply', id, reply: await router.answer({ windowId: 1, kind: 'main' }, { route, input, files: [] }) });
});
say({ t: 'ready' });
