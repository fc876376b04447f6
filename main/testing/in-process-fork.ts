import { MessageChannel } from 'node:worker_threads';
import type { Child, Fork } from '../hosts/child';
import { HostProcess } from '../hosts/process/host-process';
import type { RunJob } from '../hosts/process/job';
import { workerPort } from '../hosts/process/port';
import { runServerJob } from '../hosts/process/server-jobs';
import type { HostRole } from '../hosts/protocol';
import { systemClock } from '../lib/clock';

/** Runs what is inside a host in the test's own process: real frames over a real port, no process to start. */
export function inProcessFork(runnerOf: (role: HostRole) => RunJob = () => runServerJob): Fork {
  return (): Child => {
    const { port1, port2 } = new MessageChannel();
    const exits: ((code: number | null) => void)[] = [];
    let gone = false;
    const exit = (code: number | null) => {
      if (gone) return;
      gone = true;
      port2.close();
      setImmediate(() => {
        for (const tell of exits) tell(code);
      });
    };
    new HostProcess({
      port: workerPort(port2),
      clock: systemClock,
      pid: 0,
      runtime: 'in process',
      runnerOf,
      exit: () => exit(0),
    });
    return {
      pid: undefined,
      port: workerPort(port1),
      onSpawn: (listener) => setImmediate(listener),
      onExit: (listener) => exits.push(listener),
      kill: () => {
        exit(null);
        return true;
      },
    };
  };
}
