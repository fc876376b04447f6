import { spawn } from 'node:child_process';
import { MessageChannelMain, utilityProcess } from 'electron';
import type { Child, Fork } from '../hosts/child';
import { electronPort } from '../hosts/process/port';

/** Variables that hold keys stay in main. */
const SECRET = /(_KEY|_TOKEN|_SECRET|PASSWORD|PASSWD|CREDENTIALS)$/i;

/** Starts hosts as Electron's utility processes; the wire is a MessagePort that the first message hands over. */
export function utilityFork(entry: string): Fork {
  return (role): Child => {
    const { port1, port2 } = new MessageChannelMain();
    const child = utilityProcess.fork(entry, [], {
      serviceName: `palimpsest-${role}`,
      stdio: 'ignore',
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRET.test(name))),
      allowLoadingUnsignedLibraries: role === 'embedded', // llama.cpp's libraries carry no signature of ours
    });
    child.postMessage(null, [port2]);
    return {
      get pid() {
        return child.pid;
      },
      port: electronPort(port1),
      onSpawn: (listener) => child.once('spawn', listener),
      onExit: (listener) => child.once('exit', listener),
      kill: () => {
        // Windows has no process groups: what tool servers started is found by its parents, while these live
        if (role === 'tools' && process.platform === 'win32' && child.pid !== undefined) endTree(child.pid);
        return child.kill();
      },
    };
  };
}

function endTree(pid: number): void {
  const ending = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore' });
  ending.on('error', () => {}); // the host's own end is left
}
