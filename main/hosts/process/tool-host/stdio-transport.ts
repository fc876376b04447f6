import { homedir } from 'node:os';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../../lib/clock';
import { type ServerLaunch, TOOL_LIMITS } from '../../tool-protocol';
import type { JobFailure } from '../job-failure';
import { cleanEnvironment } from './clean-environment';
import { FlowMeter } from './flow-meter';
import { LineSplitter } from './line-splitter';
import { ProcessTree } from './process-tree';
import { serverFault } from './server-fault';
import type { StderrTail } from './stderr-tail';

/** Lines that are no messages and yet no reason to doubt the server: some greet on their standard output. */
const NOISE_LINES = 100;
/** After a program's end its pipes are read to their ends, but no longer than this; milliseconds. */
const PIPES_MS = 1_000;

/**
 * A server as a program of its own, one message a line. The SDK's own transport knows neither process groups nor what a
 * server may send in a second; the protocol above it is the SDK's.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it ended, where that was not asked for. */
  fault: JobFailure | null = null;
  /** Resolves when nothing of it runs any more. */
  readonly gone: Promise<void>;
  readonly #launch: Extract<ServerLaunch, { kind: 'stdio' }>;
  readonly #clock: Clock;
  readonly #stderr: StderrTail;
  readonly #lines = new LineSplitter(TOOL_LIMITS.messageBytes);
  readonly #flow: FlowMeter;
  readonly #errorFlow: FlowMeter;
  #tree: ProcessTree | null = null;
  #noise = 0;
  #spoken = false;
  #ending = false;
  #isOver = false;
  #setGone: () => void = () => {};

  constructor(launch: Extract<ServerLaunch, { kind: 'stdio' }>, clock: Clock, stderr: StderrTail) {
    this.#launch = launch;
    this.#clock = clock;
    this.#stderr = stderr;
    this.#flow = new FlowMeter(clock);
    this.#errorFlow = new FlowMeter(clock, TOOL_LIMITS.errorBytesPerSecond);
    this.gone = new Promise((resolve) => {
      this.#setGone = resolve;
    });
  }

  start(): Promise<void> {
    const { command, args, variables } = this.#launch;
    const env = cleanEnvironment(process.env, process.platform, variables);
    return new Promise((resolve, reject) => {
      const tree = new ProcessTree({ command, args, env, cwd: homedir() }, this.#clock);
      const { child } = tree;
      this.#tree = tree;
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        if (child.pid !== undefined) return; // a signal that did not arrive: its exit tells the rest
        this.fault =
          error.code === 'ENOENT'
            ? serverFault('tool-no-command', { command })
            : serverFault('tool-not-started', { command, reason: error.code ?? error.message });
        this.#over();
        reject(this.fault);
      });
      child.once('exit', (code, signal) => this.#exited(code ?? signal ?? ''));
      child.once('close', () => this.#over());
      child.stdout?.on('data', (piece: Buffer) => this.#take(piece));
      child.stderr?.on('data', (piece: Buffer) => this.#takeError(piece));
      for (const stream of child.stdio) stream?.on('error', () => {}); // its exit tells the rest
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#tree?.child.stdin;
    if (!stdin?.writable) throw this.fault ?? new Error('the server is gone');
    stdin.write(`${JSON.stringify(message)}\n`);
    // who asks and asks and never reads its answers fills this process's memory
    if (stdin.writableLength > TOOL_LIMITS.messageBytes * 2) this.#end('questions');
  }

  /** Ends the program and all that it started. */
  async close(): Promise<void> {
    this.#ending = true;
    if (this.#tree) this.#tree.end();
    else this.#over();
    await this.gone;
  }

  #take(piece: Buffer): void {
    if (this.#ending) return;
    const { lines, over } = this.#lines.take(piece);
    const flood = this.#flow.add(lines.length, piece.length);
    const what = over ? 'message' : flood;
    if (what) return this.#end(what);
    for (const line of lines) this.#hear(line);
  }

  #takeError(piece: Buffer): void {
    this.#stderr.take(piece);
    if (this.#errorFlow.add(0, piece.length) && !this.#ending) this.#end('stderr');
  }

  #hear(line: string): void {
    if (line.trim() === '' || this.#ending) return;
    const message = messageIn(line);
    if (message) {
      this.#spoken = true;
      this.onmessage?.(message);
    } else if (++this.#noise > NOISE_LINES && !this.#spoken) {
      this.fault = serverFault('tool-server-unknown', { said: line });
      this.#kill();
    }
  }

  #end(what: string): void {
    this.fault ??= serverFault('tool-server-flooded', { what });
    this.#kill();
  }

  #kill(): void {
    this.#ending = true;
    this.#tree?.kill();
  }

  #exited(code: string | number): void {
    // what it said last is on its way through the pipes
    this.#clock.after(PIPES_MS, () => this.#over());
    if (!this.#ending) this.fault ??= serverFault('tool-server-exited', { code, said: this.#stderr.last });
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.fault?.failure.name === 'tool-server-exited' && this.fault.failure.fields.said === '')
      this.fault = serverFault('tool-server-exited', { ...this.fault.failure.fields, said: this.#stderr.last });
    this.#stderr.flush();
    this.#setGone();
    this.onclose?.();
  }
}

function messageIn(line: string): JSONRPCMessage | null {
  try {
    const parsed = JSONRPCMessageSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
