declare module 'cross-spawn' {
  import type { ChildProcess, SpawnOptions } from 'node:child_process';
  /** `spawn` that also starts scripts (`npx`, `*.cmd`) on Windows. */
  export default function spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess;
}
