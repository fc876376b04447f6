import { MessageChannelMain, utilityProcess } from 'electron';
import type { Child, Fork } from '../hosts/child';
import { electronPort } from '../hosts/process/port';

/** Starts hosts as Electron's utility processes; the wire is a MessagePort that the first message hands over. */
export function utilityFork(entry: string): Fork {
  return (role): Child => {
    const { port1, port2 } = new MessageChannelMain();
    const child = utilityProcess.fork(entry, [], { serviceName: `palimpsest-${role}`, stdio: 'ignore' });
    child.postMessage(null, [port2]);
    return {
      get pid() {
        return child.pid;
      },
      port: electronPort(port1),
      onSpawn: (listener) => child.once('spawn', listener),
      onExit: (listener) => child.once('exit', listener),
      kill: () => child.kill(),
    };
  };
}
