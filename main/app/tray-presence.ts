import { execFile } from 'node:child_process';

/** How long the desktop may take to answer, in milliseconds. */
const LIMIT_MS = 1_000;
const WATCHER = 'org.kde.StatusNotifierWatcher';

/**
 * Whether the desktop shows tray icons. On Linux it is asked over D-Bus who hosts them: making an icon gives no
 * error where nobody does. Without an answer there is none, so that closing a window never strands the app.
 */
export function hasTray(platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== 'linux') return Promise.resolve(true);
  return new Promise((resolve) => {
    const call = ['call', '--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'];
    const asked = [...call, '--method', 'org.freedesktop.DBus.NameHasOwner', WATCHER];
    execFile('gdbus', asked, { timeout: LIMIT_MS }, (error, answer) => {
      resolve(error === null && answer.includes('true'));
    });
  });
}
