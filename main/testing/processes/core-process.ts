import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { AppError } from '../../../shared/errors';
import type { Input, Output, RouteName } from '../../../shared/ipc/contract';
import type { AppEvent } from '../../../shared/ipc/events';
import { systemClock } from '../../lib/clock';
import type { Kill } from '../crash/kill-points';
import type { CoreStart, FromCore } from './core-messages';

/** The process is gone: what was asked of it has no answer. */
export class Died extends Error {
  constructor() {
    super('the process is gone');
    this.name = 'Died';
  }
}

/** Files that `buildCore` made. */
export interface CoreEntries {
  readonly core: string;
  readonly dataThread: string;
  readonly host: string;
}

interface Wanted {
  readonly test: (event: AppEvent) => boolean;
  readonly done: (event: AppEvent) => void;
  readonly failed: (error: Died) => void;
}

export interface CoreOptions {
  readonly kill?: Kill;
  readonly oneMoreStep?: boolean;
  /** The program it runs under, instead of Node by itself. */
  readonly under?: { readonly execPath: string; readonly execArgv: string[] };
}

/** One app process on a profile, from the side of its tester. */
export class CoreProcess {
  /** Hears every event, with the process's wall time. */
  onEvent: (event: AppEvent, wall: number) => void = () => {};
  readonly log: string[] = [];
  /** Wall time of its death as it was seen, or as it said itself; null while it lives. */
  diedAt: number | null = null;
  /** True once it died at its kill point. */
  byItself = false;
  /** True once the test killed it. */
  killed = false;
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #replies = new Map<number, { done(value: unknown): void; failed(error: unknown): void }>();
  readonly #wanted = new Set<Wanted>();
  #ready: (() => void) | null = null;
  #nextId = 1;

  /** `ready` also resolves where it died on the way: see `diedAt`. */
  readonly ready: Promise<void>;

  constructor(entries: CoreEntries, profile: string, options: CoreOptions = {}) {
    const { dataThread, host } = entries;
    const { kill = null, oneMoreStep = false, under = {} } = options;
    const start: CoreStart = { profile, dataThread, host, kill, oneMoreStep };
    const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const;
    this.#child = fork(entries.core, [JSON.stringify(start)], { stdio: [...stdio], ...under });
    this.ready = new Promise((resolve) => {
      this.#ready = resolve;
    });
    this.gone = once(this.#child, 'close').then(() => this.#gone());
    this.#child.on('message', (message: FromCore) => this.#hear(message));
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#lastWords(text));
  }

  get alive(): boolean {
    return this.diedAt === null;
  }
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** @throws AppError where the app refused, Died where the process ended before it answered. */
  ask<R extends RouteName>(route: R, input: Input<R>): Promise<Output<R>> {
    return new Promise((resolve, reject) => {
      if (!this.alive) return reject(new Died());
      const id = this.#nextId++;
      this.#replies.set(id, { done: (value) => resolve(value as Output<R>), failed: reject });
      this.#child.send({ t: 'ask', id, route, input }, () => {});
    });
  }

  /** The next event that fits. @throws Died */
  next(test: (event: AppEvent) => boolean): Promise<AppEvent> {
    return new Promise((done, failed) => {
      if (!this.alive) return failed(new Died());
      this.#wanted.add({ test, done, failed });
    });
  }

  kill(): Promise<void> {
    this.killed = true;
    this.diedAt ??= systemClock.wall();
    this.#child.kill('SIGKILL');
    return this.gone;
  }
  /** Ends as the app ends. */
  async quit(): Promise<void> {
    if (this.alive) this.#child.send({ t: 'quit' }, () => {});
    await this.gone;
  }
  /** Stands still, and goes on: the process keeps its locks. */
  stop(): void {
    this.#child.kill('SIGSTOP');
  }
  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  #hear(message: FromCore): void {
    switch (message.t) {
      case 'ready':
        this.#ready?.();
        return;
      case 'log':
        this.log.push(message.line);
        return;
      case 'event':
        this.onEvent(message.event, message.wall);
        for (const wanted of [...this.#wanted])
          if (wanted.test(message.event)) {
            this.#wanted.delete(wanted);
            wanted.done(message.event);
          }
        return;
      case 'reply': {
        const { reply } = message;
        const waiting = this.#replies.get(message.id);
        this.#replies.delete(message.id);
        if (reply.ok) waiting?.done(reply.value);
        else waiting?.failed(new AppError(reply.code, reply.fields));
      }
    }
  }

  #lastWords(text: string): void {
    if (!text.startsWith('{"died"')) return void this.log.push(text);
    this.diedAt = (JSON.parse(text) as { wall: number }).wall;
    this.byItself = true;
  }

  #gone(): void {
    const { exitCode, signalCode } = this.#child;
    if (!this.killed && !this.byItself && exitCode !== 0) this.log.push(`it ended with ${exitCode ?? signalCode}`);
    this.diedAt ??= systemClock.wall();
    this.#ready?.();
    for (const waiting of this.#replies.values()) waiting.failed(new Died());
    for (const wanted of this.#wanted) wanted.failed(new Died());
    this.#replies.clear();
    this.#wanted.clear();
  }
}
