// Whether there is a screen, and what Electron needs in its environment to start on this machine.
import fs from 'node:fs';
import path from 'node:path';
import { electronExecutable } from './electron-place.mjs';
import { say } from './say.mjs';

export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
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
