import { MessageChannelMain, utilityProcess } from 'electron';
import type { Child, Fork } from './child';
import { electronPort } from './process/port';

/** Variables that hold keys stay in main. */
const SECRET = /(_KEY|_TOKEN|_SECRET|PASSWORD|PASSWD|CREDENTIALS)$/i;

/**
 * Starts hosts as Electron utility processes. `entry` is the built file of hosts/process/host.ts. Their wire is a
 * MessagePort that the first message hands over, since only such a port tells of the other end's close.
 */
export function utilityFork(entry: string): Fork {
  return (role): Child => {
    const child = utilityProcess.fork(entry, [], {
      serviceName: `Palimpsest ${role}`,
      stdio: 'ignore',
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRET.test(name))),
      allowLoadingUnsignedLibraries: role === 'embedded', // llama.cpp's libraries carry no signature of ours
    });
    const { port1, port2 } = new MessageChannelMain();
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
