import { totalmem } from 'node:os';
import { app, dialog, globalShortcut, nativeTheme, session } from 'electron';
import { ORIGIN, registerAppScheme, serveApp } from './app/app-protocol';
import { AppShell } from './app/app-shell';
import { confirm, pickFiles, pickFolder, pickTarget } from './app/dialogs';
import { systemKeyring } from './app/keyring';
import { openLog } from './app/log';
import { systemNetwork } from './app/network';
import { refusePermissions } from './app/page-guard';
import { DATA_THREAD_ENTRY, HOST_ENTRY, hubAddress, profileFolder, shippedFiles } from './app/paths';
import { onBattery, watchPower } from './app/power';
import { QuickChatShortcut } from './app/shortcut';
import { shortcutDoubt } from './app/shortcut-rules';
import { hasTray } from './app/tray-presence';
import { utilityFork } from './app/utility-host';
import { words } from './app/words';
import { composeApp } from './compose';
import { openRequestDoor, sendEvents } from './ipc/electron-doors';
import { EventFeed } from './ipc/event-feed';
import { withFeed } from './ipc/feed-handlers';
import { Router } from './ipc/router';
import { systemClock } from './lib/clock';
import { systemIds } from './lib/ids';

registerAppScheme();
const profile = profileFolder(process.argv, process.env.PALIMPSEST_PROFILE, app.getPath('userData'));
app.setPath('userData', profile);
app.setAppUserModelId('org.palimpsest.app');

const log = openLog(profile);

if (app.requestSingleInstanceLock()) {
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', error));
  process.on('uncaughtException', stop);
  // not `await app.whenReady()`: ready waits until this module has finished loading
  app.whenReady().then(start).catch(stop);
} else {
  // the first instance has the arguments by now
  app.exit(0);
}

async function start(): Promise<void> {
  const files = shippedFiles(app.isPackaged, process.resourcesPath);
  const trayAsked = hasTray(process.platform);
  serveApp();
  refusePermissions(session.defaultSession);
  const trayAvailable = await trayAsked;
  const shortcut = new QuickChatShortcut(systemClock, globalShortcut);
  const core = await composeApp({
    profile,
    practiceModel: files.practiceModel,
    hub: hubAddress(process.argv, app.isPackaged),
    memoryBytes: totalmem(),
    dataThreadEntry: DATA_THREAD_ENTRY,
    clock: systemClock,
    ids: systemIds,
    log,
    shell: {
      facts: () => ({
        platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
        version: app.getVersion(),
        dark: nativeTheme.shouldUseDarkColors,
        trayAvailable,
        shortcutDoubt: shortcutDoubt(process.env, process.platform),
        shortcutRefusal: shortcut.refusal,
      }),
      pickFiles,
      pickTarget,
      pickFolder,
      confirm,
      power: watchPower(),
      onBattery,
      keyring: systemKeyring,
      fork: utilityFork(HOST_ENTRY),
      network: systemNetwork,
    },
  });
  const feed = new EventFeed(systemClock, sendEvents);
  const shell = new AppShell({
    core,
    feed,
    shortcut,
    profile,
    icon: files.icon,
    trayAvailable,
    clock: systemClock,
    log,
  });
  const router = new Router(withFeed({ ...core.handlers, ...shell.handlers }, feed), log);
  openRequestDoor(router, shell.kindOf, ORIGIN);
  app.on('second-instance', (_event, argv) => shell.startedAgain(argv));
  shell.open(process.argv);
  log.info('started', { version: app.getVersion(), electron: process.versions.electron });
}

/** A fault that leaves nothing to go on with: it is told, and the process ends. */
function stop(error: unknown): void {
  log.error('has to stop', error);
  if (app.isPackaged) dialog.showErrorBox(words.hasToStop, error instanceof Error ? error.message : String(error));
  app.exit(1);
}
