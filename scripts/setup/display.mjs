// Whether there is a screen, and what Electron needs in its environment to start on this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { electronExecutable } from './electron-place.mjs';
import { SetupError, say } from './say.mjs';

export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * Starts an X display that nobody else uses: no pointer, focus or clipboard of another app reaches what runs there.
 * Answers what leads an app to it, for its environment, and how to end it.
 */
export async function privateDisplay() {
  // -displayfd: the server picks a free number and says so once it is ready
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const end = () => server.kill();
  process.once('exit', end);
  const ended = once(server, 'exit').then(
    () => new SetupError('Xvfb did not start'),
    () => new SetupError('Xvfb is missing (Debian: apt-get install -y --no-install-recommends xvfb)'),
  );
  const number = await Promise.race([once(server.stdio[3], 'data'), ended]);
  if (number instanceof SetupError) throw number;
  const { DBUS_SESSION_BUS_ADDRESS: bus = 'disabled:' } = process.env; // without a bus this keeps the look-ups short
  const display = { DISPLAY: `:${String(number).trim()}`, WAYLAND_DISPLAY: '', XDG_SESSION_TYPE: 'x11' };
  return { env: { ...display, DBUS_SESSION_BUS_ADDRESS: bus }, end };
}

/** The environment for starting Electron: without Chromium's sandbox only where it cannot work. */
export function electronEnvironment() {
  const env = { ...process.env };
  delete env.ELECTRON_RUN_AS_NODE;
  if (process.platform !== 'linux' || env.ELECTRON_DISABLE_SANDBOX) return env;
  if (process.getuid() === 0) {
    env.ELECTRON_DISABLE_SANDBOX = '1'; // as root Chromium refuses to start with its sandbox
  } else if (namespacesRefused() && !setuidHelperReady()) {
    const helper = path.join(path.dirname(electronExecutable()), 'chrome-sandbox');
    say(
      `this system gives ordinary programs no sandbox of their own, so Chromium runs without. To have it: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
    );
    env.ELECTRON_DISABLE_SANDBOX = '1';
  }
  return env;
}

/** Ubuntu since 23.10 and some hardened kernels refuse user namespaces to programs without a profile. */
function namespacesRefused() {
  return (
    kernelSetting('kernel/apparmor_restrict_unprivileged_userns') === '1' ||
    kernelSetting('kernel/unprivileged_userns_clone') === '0' ||
    kernelSetting('user/max_user_namespaces') === '0'
  );
}

function setuidHelperReady() {
  const stat = fs.statSync(path.join(path.dirname(electronExecutable()), 'chrome-sandbox'), { throwIfNoEntry: false });
  return stat !== undefined && stat.uid === 0 && (stat.mode & 0o4000) !== 0;
}

function kernelSetting(name) {
  try {
    return fs.readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
  }
}
