/** Main's side of one tool server: starts it when it is needed, knows its tools, ends it when it rests. */
import { AppError, type ErrorCode, type ErrorFields, errorCodes } from '../../shared/errors';
import type { ToolServerState } from '../../shared/model/tools';
import type { StreamEnd, StreamHandle } from '../hosts/stream-handle';
import { isRefusal } from '../hosts/stream-handle';
import type { HostedTool, ServerJob, ServerLaunch, ToolsFrame } from '../hosts/tool-protocol';
import type { Clock } from '../lib/clock';
import type { ToolHost } from './host-call';

/** A start may have to fetch the program first (`npx`). Milliseconds. */
const START_MS = 60_000;
/** A server that nobody used ends after this long. Milliseconds. */
const REST_MS = 600_000;
/** One that failed is not started again by itself before this. Milliseconds. */
const AGAIN_MS = 30_000;
/** Its end is waited for this long, then its process is ended. Milliseconds. */
const STOP_MS = 5_000;

export interface LifeEnv {
  readonly id: ServerJob['server'];
  readonly host: ToolHost;
  readonly clock: Clock;
  readonly appVersion: string;
  /** How it is started now. @throws AppError where a secret cannot be read. */
  launch(): ServerLaunch;
  /** It listed its tools. */
  listed(tools: readonly HostedTool[]): void;
  changed(): void;
  /** It failed, or tries again: its tools are offered no more, or again. */
  offered(): void;
}

export class ServerLife {
  readonly #env: LifeEnv;
  #stream: StreamHandle | null = null;
  #state: Exclude<ToolServerState, { kind: 'off' }> = { kind: 'resting' };
  #failedAt = Number.NEGATIVE_INFINITY;
  #stopping = false;
  /** It was needed while it was being ended: it is begun again after that. */
  #again = false;
  #calls = 0;
  #disarmRest = () => {};
  #waiting: (() => void)[] = [];
  stderr: readonly string[] = [];
  leftOut: ToolsFrame['leftOut'] = [];

  constructor(env: LifeEnv) {
    this.#env = env;
  }

  get state(): Exclude<ToolServerState, { kind: 'off' }> {
    return this.#state;
  }

  /** Starts it where it does not run; a failure of a moment ago is not tried again. */
  need(): void {
    if (this.#stopping) {
      this.#again = true;
      return;
    }
    this.#again = false;
    if (this.#stream) this.#restLater();
    else if (this.#env.clock.monotonic() - this.#failedAt >= AGAIN_MS) this.#start();
  }

  /** Runs a call while the server is ready for it. @throws AppError with why it is not. */
  async using<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    this.need();
    this.#calls++;
    this.#disarmRest();
    try {
      while (this.#stopping || this.#state.kind === 'starting') {
        await this.#moved(signal);
        this.need();
      }
      if (this.#state.kind === 'failed') throw new AppError(this.#state.code, this.#state.fields);
      return await call();
    } finally {
      this.#calls--;
      this.#restLater();
    }
  }

  /** Ends it, whatever runs in it. Resolves when nothing of it runs. */
  async stop(): Promise<void> {
    const stream = this.#stream;
    if (!stream) return;
    this.#stopping = true;
    this.#again = false; // what needed it before is overtaken by this word
    stream.cancel('user');
    const disarm = this.#env.clock.after(STOP_MS, () => stream.kill());
    while (this.#stream === stream) await this.#moved();
    disarm();
  }

  async restart(): Promise<void> {
    await this.stop();
    this.#failedAt = Number.NEGATIVE_INFINITY;
    this.need();
  }

  #start(): void {
    const { id, host, appVersion } = this.#env;
    let launch: ServerLaunch;
    try {
      launch = this.#env.launch();
    } catch (error) {
      if (error instanceof AppError) return this.#fail(error.code, error.fields);
      return this.#fail('internal', { message: String(error) });
    }
    const opened = host.tool({ kind: 'tool-server', server: id, launch, appVersion, startMs: START_MS });
    if (isRefusal(opened)) return; // the app ends
    this.#stream = opened;
    this.stderr = [];
    this.#become({ kind: 'starting' });
    this.#restLater();
    opened.on((event) => {
      if (event.t === 'tools') this.#listed(event);
      else if (event.t === 'stderr') {
        this.stderr = event.lines;
        this.#env.changed();
      } else if (event.t === 'settled') this.#ended(event.end);
    });
  }

  #listed({ title, tools, leftOut }: ToolsFrame): void {
    this.leftOut = leftOut;
    this.#env.listed(tools);
    this.#become({ kind: 'ready', title });
  }

  #ended(end: StreamEnd): void {
    const stopped = this.#stopping || end.t === 'stopped' || end.t === 'result';
    this.#stream = null;
    this.#stopping = false;
    this.#disarmRest();
    if (stopped) {
      this.#become({ kind: 'resting' });
      if (this.#again) this.need();
      return;
    }
    if (end.t === 'exited') return this.#fail('tool-server-exited', { code: '', said: '' });
    const { name, fields, message } = end;
    if (isCode(name)) this.#fail(name, fields);
    else this.#fail('internal', { message });
  }

  #fail(code: ErrorCode, fields: ErrorFields): void {
    this.#failedAt = this.#env.clock.monotonic();
    this.#become({ kind: 'failed', code, fields });
  }

  #become(state: Exclude<ToolServerState, { kind: 'off' }>): void {
    const other = (this.#state.kind === 'failed') !== (state.kind === 'failed');
    this.#state = state;
    for (const tell of this.#waiting.splice(0)) tell();
    this.#env.changed();
    if (other) this.#env.offered();
  }

  /** Resolves when its state has changed. Rejects with the signal's reason. */
  #moved(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
    });
  }

  #restLater(): void {
    this.#disarmRest();
    if (!this.#stream || this.#calls > 0) return;
    this.#disarmRest = this.#env.clock.after(REST_MS, () => void this.stop());
  }
}

function isCode(name: string): name is ErrorCode {
  return (errorCodes as readonly string[]).includes(name);
}
