import { readFileSync } from 'node:fs';

/** One system call as strace wrote it: by any thread of the process or of its children, in the order of time. */
export interface Call {
  readonly name: string;
  /** The file or socket behind the first argument, as `-yy` names it. */
  readonly on: string;
  readonly line: string;
}

/** Command and flags under which a process is traced into `file`: what it writes, sends and brings to disk. */
export function underStrace(file: string): { execPath: string; execArgv: string[] } {
  const calls = 'trace=write,writev,pwrite64,pwritev,sendto,sendmsg,fsync,fdatasync';
  // long strings, so that a page of the log is shown whole
  const flags = ['-f', '-q', '-yy', '-s', '20000', '-e', calls, '-e', 'signal=none', '-o', file];
  return { execPath: 'strace', execArgv: [...flags, process.execPath] };
}

/** The calls that were finished, in the order in which they began. */
export function callsIn(file: string): Call[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const call = /^\d+\s+(\w+)\(\d+<(.*?)>[,) ]/.exec(line);
      return call?.[1] && call[2] !== undefined ? [{ name: call[1], on: call[2], line }] : [];
    });
}
