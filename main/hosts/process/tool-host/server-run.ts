/** One running tool server: what it is, which tools it has now, its calls, and how it ended. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod/v4';
import { type Clock, patiently } from '../../../lib/clock';
import {
  type CallJob,
  type ServerJob,
  TOOL_CHANGED,
  TOOL_ERROR,
  TOOL_LIMITS,
  type ToolsFrame,
} from '../../tool-protocol';
import { JobFailure } from '../job-failure';
import { type Mask, maskFor } from './mask';
import { cutResult, resultText } from './result-text';
import { serverFault, shownFault } from './server-fault';
import { StderrTail } from './stderr-tail';
import { usableTools } from './tool-list';
import { openWire, type Wire } from './wire';

/** Main's deadlines decide how long a call may take; the SDK's own timers only must not come before. Milliseconds. */
const NEVER_MS = 2_000_000_000;
/** A server that was told of a cancel and does not answer even a ping within this is taken for hung. Milliseconds. */
const PING_MS = 5_000;
/** A list that is said to have changed is asked for again at most this often. Milliseconds. */
const LIST_AGAIN_MS = 1_000;
const PAGES_MAX = 20;

/** Each tool is looked at by itself later: a list with a bad one is a list. */
const anyTools = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
/** What can be read of a result is read. */
const anyResult = z.looseObject({ isError: z.boolean().optional() });

export interface ServerRunOptions {
  readonly job: ServerJob;
  readonly clock: Clock;
  readonly tools: (list: Omit<ToolsFrame, 't'>) => void;
  readonly stderr: (lines: readonly string[]) => void;
}

export class ServerRun {
  /** Resolves once its tools are known. Rejects with the fault where it came to nothing. */
  readonly ready: Promise<void>;
  /** Resolves with what was wrong when it ends by itself; never where it is stopped. */
  readonly failed: Promise<JobFailure>;
  readonly #options: ServerRunOptions;
  readonly #client: Client;
  readonly #wire: Wire;
  readonly #mask: Mask;
  #told = '';
  #listing: (() => void) | null = null;
  #setFailed: (fault: JobFailure) => void = () => {};
  #setBegun: () => void = () => {};
  readonly #begun = new Promise<void>((resolve) => {
    this.#setBegun = resolve;
  });

  constructor(options: ServerRunOptions) {
    this.#options = options;
    const { job, clock } = options;
    const { launch } = job;
    this.#mask = maskFor(launch.kind === 'http' ? [launch.token] : Object.values(launch.variables));
    this.failed = new Promise((resolve) => {
      this.#setFailed = resolve;
    });
    this.#wire = openWire(launch, clock, new StderrTail(clock, this.#mask, options.stderr), (fault) =>
      this.#fail(fault),
    );
    this.#client = new Client({ name: 'Palimpsest', version: job.appVersion }, { capabilities: {} });
    // the client also closes by itself what could not be begun, which is told by its error
    this.#client.onclose = () => {
      const fault = this.#wire.fault();
      if (fault) this.#fail(fault);
    };
    this.#client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#listSoon());
    this.ready = this.#start();
    this.ready.catch(() => {}); // who waits hears of it; nobody has to
  }

  /** Ends the server and all that it started. Resolves when nothing of it runs. */
  async stop(): Promise<void> {
    this.#listing?.();
    await this.#wire.close();
    await this.#client.close().catch(() => {});
  }

  /**
   * The text of the result, and whether the tool says that it failed.
   * @throws JobFailure `ToolChanged`, `ToolError` (the call was refused), or what is wrong with the server.
   */
  async call(
    job: CallJob,
    signal: AbortSignal,
    progress: (line: string) => void,
  ): Promise<{ text: string; failed: boolean }> {
    try {
      await unlessAborted(this.ready, signal);
      // what was offered may have changed without a word: nothing is called that nobody has seen
      const { tools, saidNames } = await this.#list(signal);
      if (!tools.some(({ name, fingerprint }) => name === job.tool && fingerprint === job.fingerprint))
        throw new JobFailure('refused', 'internal', 'changed', {}, TOOL_CHANGED);
      const request = {
        method: 'tools/call',
        params: { name: saidNames.get(job.tool) ?? job.tool, arguments: { ...job.args } },
      } as const;
      const result = await this.#client.request(request, anyResult, {
        signal,
        timeout: NEVER_MS,
        onprogress: ({ message, progress: done, total }) => {
          const line = message ?? (total === undefined ? String(done) : `${done} / ${total}`);
          progress(this.#mask(line).slice(0, TOOL_LIMITS.progressChars));
        },
      });
      return { text: cutResult(resultText(result, this.#mask)), failed: result.isError === true };
    } catch (error) {
      if (signal.aborted) void this.#ping();
      throw this.#inWords(error);
    }
  }

  async #start(): Promise<void> {
    const { clock, job } = this.#options;
    const late = new Promise<never>((_, reject) => {
      const disarm = patiently(clock, job.startMs, () => {
        const fault = serverFault('tool-server-silent', { seconds: job.startMs / 1_000 });
        reject(this.#fail(fault));
      });
      void this.failed.then(disarm);
      void this.#begun.then(disarm);
    });
    await Promise.race([this.#begin(), late]);
  }

  async #begin(): Promise<void> {
    try {
      await this.#client.connect(this.#wire.transport, { timeout: NEVER_MS });
      await this.#list();
    } catch (error) {
      throw this.#fail(this.#wire.fault() ?? startFaultOf(error));
    } finally {
      this.#setBegun();
    }
  }

  async #list(signal?: AbortSignal) {
    const said: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES_MAX; page++) {
      const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } } as const;
      const answer = await this.#client
        .request(request, anyTools, { timeout: NEVER_MS, ...(signal ? { signal } : {}) })
        .catch(noTools);
      said.push(...answer.tools);
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    const { saidNames, ...list } = usableTools(said, this.#mask);
    const about = this.#client.getServerVersion();
    const title = this.#mask(`${about?.title ?? about?.name ?? ''} ${about?.version ?? ''}`)
      .trim()
      .slice(0, 200);
    const told = JSON.stringify([title, list]);
    if (told !== this.#told) {
      this.#told = told;
      this.#options.tools({ title, ...list });
    }
    return { ...list, saidNames };
  }

  #listSoon(): void {
    this.#listing ??= this.#options.clock.after(LIST_AGAIN_MS, () => {
      this.#listing = null;
      this.#list().catch(() => {}); // its end is told where it is noticed
    });
  }

  /** A call was given up: a server that is beyond hearing is ended, with what it still does. */
  async #ping(): Promise<void> {
    let heard = false;
    const disarm = patiently(this.#options.clock, PING_MS, () => {
      if (!heard) this.#fail(serverFault('tool-server-silent', { seconds: PING_MS / 1_000 }));
    });
    await this.#client.ping({ timeout: NEVER_MS }).catch(() => {});
    heard = true;
    disarm();
  }

  /** Why a call came to nothing, as it may leave this process. */
  #inWords(error: unknown): JobFailure {
    if (error instanceof JobFailure && error.failure.name !== 'tool-server-lost') return shownFault(error, this.#mask);
    const fault = this.#wire.fault();
    if (fault) return shownFault(fault, this.#mask);
    if (isAnswer(error))
      return shownFault(new JobFailure('refused', 'server-error', error.message, {}, TOOL_ERROR), this.#mask);
    // what is no answer of the tool is the end of the way to it
    const found = faultOf(error);
    return error instanceof McpError ? shownFault(found, this.#mask) : this.#fail(found);
  }

  /** Answers the fault as it may leave this process. */
  #fail(fault: JobFailure): JobFailure {
    const shown = shownFault(fault, this.#mask);
    this.#setFailed(shown);
    return shown;
  }
}

/** Whether the server itself answered with an error. Some use the code by which the SDK tells of a closed connection. */
function isAnswer(error: unknown): error is McpError {
  if (!(error instanceof McpError)) return false;
  return error.code !== ErrorCode.ConnectionClosed || saidBy(error) !== 'Connection closed';
}

/** What an error at the start says about the server: one that answers with an error knows the protocol. */
function startFaultOf(error: unknown): JobFailure {
  if (!isAnswer(error)) return faultOf(error);
  return serverFault('tool-server-unwilling', { said: saidBy(error) || String(error.code) });
}

/** Without what the SDK puts before it. */
const saidBy = (error: McpError) => error.message.replace(/^MCP error -?\d+: /, '');

/** What an error that is no answer says about the server. */
function faultOf(error: unknown): JobFailure {
  if (error instanceof JobFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const version = /protocol version is not supported: (\S+)/.exec(message)?.[1];
  if (version !== undefined) return serverFault('tool-server-version', { version });
  const status = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
  if (error instanceof Error && error.name !== 'McpError' && status !== null && status > 0)
    return serverFault('tool-server-refused', { status, said: saidIn(message) });
  return serverFault('tool-server-unknown', { said: message });
}

/** What the server itself said: the SDK puts its own words before it. */
const saidIn = (message: string) => message.replace(/^Streamable HTTP error: (Error POSTing to endpoint: )?/, '');

/** A server that knows no tools has none. */
function noTools(error: unknown): z.infer<typeof anyTools> {
  if (error instanceof McpError && error.code === ErrorCode.MethodNotFound) return { tools: [] };
  throw error;
}

function unlessAborted<T>(what: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    what.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
