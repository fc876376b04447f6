/**
 * A program with all that it starts: one process group of its own (POSIX), one tree (Windows). It ends with this process,
 * however this one ends: orderly by `end`, and where nothing can be put in order any more by a guard. The guard is a
 * shell that does nothing but wait for the end of a pipe whose other end this process holds.
 */
import { type ChildProcess, spawn as spawnPlain, spawnSync } from 'node:child_process';
import spawn from 'cross-spawn';
import type { Clock } from '../../../lib/clock';
import { Disposables } from '../../../lib/disposables';
import { endWithProcess } from './live-trees';

/** Milliseconds from the closed input to a polite signal, and from there to the end by force. */
const POLITE_MS = 200;
const FORCE_MS = 800;

/** Reads a line = put in order, nothing is left to do; reads the end of the pipe = whoever held it is gone. */
const GUARD = 'read -r line || kill -9 "-$1" 2>/dev/null';

export class ProcessTree {
  readonly child: ChildProcess;
  readonly #guard: ChildProcess | null;
  readonly #clock: Clock;
  readonly #timers = new Disposables();
  #lives = false;
  #forget: () => void = () => {};

  /** Starts it. What goes wrong comes as the child's `error` event. */
  constructor(
    { command, args, env, cwd }: { command: string; args: readonly string[]; env: Record<string, string>; cwd: string },
    clock: Clock,
  ) {
    this.#clock = clock;
    const windows = process.platform === 'win32';
    // cross-spawn: `npx` and its like are scripts on Windows
    this.child = spawn(command, [...args], {
      env,
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: !windows,
      windowsHide: true,
    });
    const { pid } = this.child;
    this.#guard = windows || pid === undefined ? null : guard(pid);
    if (pid === undefined) return;
    this.#lives = true;
    this.#forget = endWithProcess(() => (windows ? taskkill(pid, 'now') : this.kill()));
    this.child.once('exit', () => this.#exited());
  }

  /** Ends all of it: its input is closed, then it is asked, then it is killed. The child's `exit` tells when. */
  end(): void {
    if (!this.#lives) return;
    this.child.stdin?.end();
    this.#timers.add(this.#clock.after(POLITE_MS, () => this.#signal('SIGTERM')));
    this.#timers.add(this.#clock.after(POLITE_MS + FORCE_MS, () => this.kill()));
  }

  /** Ends all of it at once. */
  kill(): void {
    if (!this.#lives) return; // its number may be another program's by now
    if (process.platform === 'win32') taskkill(this.child.pid, 'later');
    else this.#signal('SIGKILL');
  }

  /** The program is gone: what it started goes with it. */
  #exited(): void {
    this.#lives = false;
    this.#forget();
    this.#timers.dispose();
    if (process.platform !== 'win32') this.#signal('SIGKILL');
    this.#guard?.stdin?.end('done\n');
  }

  #signal(name: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.child.kill(name);
      else process.kill(-pid, name);
    } catch {
      // nobody of it is left
    }
  }
}

function guard(pid: number): ChildProcess {
  const shell = spawnPlain('/bin/sh', ['-c', GUARD, 'guard', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // what ends this process's group must not end the guard first
    env: {},
  });
  shell.on('error', () => {}); // a system without a shell: the orderly end is left
  shell.stdin?.on('error', () => {});
  return shell;
}

function taskkill(pid: number | undefined, when: 'now' | 'later'): void {
  if (pid === undefined) return;
  const args = ['/pid', String(pid), '/T', '/F'];
  if (when === 'now') spawnSync('taskkill', args, { windowsHide: true });
  else spawnPlain('taskkill', args, { windowsHide: true, stdio: 'ignore' }).on('error', () => {});
}
