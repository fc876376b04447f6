import { type Clock, patiently } from '../lib/clock';
import { Disposables } from '../lib/disposables';
import type { Log } from '../lib/log';
import type { Child, Fork } from './child';
import { checkFrame } from './frame-check';
import type { FailedFrame, HostJob, HostRole, LastFrame, StreamId, ToHost, ToMain } from './protocol';
import { CREDIT, isLast, LIMITS, PROCESS, PROTOCOL } from './protocol';
import { Stream } from './stream';

/** A process that has not said `ready` by then is taken for broken. Milliseconds; a start takes 0.1 to 0.5 s. */
const READY_MS = 20_000;
/** Exit and the port's close come within 2 ms of each other, in either order. */
const CLOSE_MS = 250;
/** A process ends by itself this soon after its port closed. */
const ORPHAN_MS = 2_000;
/** A killed process whose exit is not seen by then is written off. */
const WRITE_OFF_MS = 30_000;

export interface HostOptions {
  readonly role: HostRole;
  readonly fork: Fork;
  readonly clock: Clock;
  readonly instance: string;
  readonly mintId: () => StreamId;
  readonly platform: NodeJS.Platform;
  readonly log: Log;
  /** A stream ended, or the process changed its state: the pool looks again. */
  readonly changed: () => void;
}

type Body = ToHost extends infer F ? (F extends unknown ? Omit<F, 'v' | 's' | 'n'> : never) : never;

/** Main's side of one utility process. Its states only move forward. */
export class Host {
  readonly role: HostRole;
  readonly #options: HostOptions;
  readonly #child: Child;
  readonly #streams = new Map<StreamId, Stream>();
  readonly #sent = new Map<StreamId | typeof PROCESS, number>();
  readonly #complained = new Set<number>();
  readonly #timers = new Disposables();
  readonly #onExited: (() => void)[] = [];
  /** Frames that wait for `ready`: no key goes to a process that has not shown its version. */
  #waiting: ToHost[] | null = [];
  #state: 'running' | 'leaving' | 'killed' | 'written-off' | 'exited' = 'running';
  #closed = false;
  #exitCode: number | null | undefined;
  #spawned = false;
  #disarmReady: () => void;

  constructor(options: HostOptions) {
    this.#options = options;
    this.role = options.role;
    this.#child = options.fork(options.role);
    this.#child.onSpawn(() => {
      this.#spawned = true;
      if (this.#state === 'killed') this.#killNow();
    });
    this.#child.port.onMessage((frame) => this.#take(frame));
    this.#child.port.onClose(() => {
      this.#closed = true;
      this.#gone();
      // A process that lives on without its port can be told nothing more.
      if (this.#state === 'running')
        this.#timers.add(patiently(this.#options.clock, ORPHAN_MS, () => this.kill('port closed')));
    });
    this.#child.onExit((code) => this.#exit(code));
    this.#disarmReady = patiently(options.clock, READY_MS, () => this.kill('not ready in time'));
    this.#timers.add(() => this.#disarmReady());
    this.#post({ t: 'start', role: options.role, instance: options.instance, limits: LIMITS }, PROCESS, true);
  }

  get state(): 'running' | 'leaving' | 'killed' | 'written-off' | 'exited' {
    return this.#state;
  }
  /** Streams that have not ended. */
  get open(): number {
    return this.#streams.size;
  }

  openStream(job: HostJob): Stream {
    const stream = new Stream(
      this.#options.mintId(),
      job,
      {
        send: (id, body) => this.#post(body, id),
        topUp: (id, frames) => this.#post({ t: 'credit', frames }, id),
        later: (fn) => this.#options.clock.nextTurn(fn),
        kill: () => this.kill('by its owner'),
      },
      (error) => this.#options.log.error('host.listener-threw', error, { role: this.role }),
    );
    this.#streams.set(stream.id, stream);
    this.#post({ t: 'open', job, credit: CREDIT.start }, stream.id);
    return stream;
  }

  /** Lets the process end by itself, at the latest after `graceMs`. */
  leave(graceMs: number): void {
    if (this.#state !== 'running') return;
    this.#state = 'leaving';
    this.#post({ t: 'bye', graceMs }, PROCESS);
    this.#timers.add(patiently(this.#options.clock, graceMs + 500, () => this.kill('did not leave')));
  }

  /** Ends the process at once; proof is its exit. Streams in it end `exited`. */
  kill(why: string): void {
    if (this.#state !== 'running' && this.#state !== 'leaving') return;
    this.#state = 'killed';
    this.#options.log.warn('host.killed', { role: this.role, why });
    this.#timers.add(patiently(this.#options.clock, WRITE_OFF_MS, () => this.#writeOff()));
    if (this.#spawned || this.#child.pid !== undefined) this.#killNow();
    this.#options.changed();
  }

  /** Resolves once the exit was seen. */
  get exited(): Promise<void> {
    if (this.#state === 'exited') return Promise.resolve();
    return new Promise((resolve) => this.#onExited.push(resolve));
  }

  #killNow(): void {
    const { pid } = this.#child;
    if (this.#options.platform === 'win32' || pid === undefined) {
      this.#child.kill();
      return;
    }
    try {
      process.kill(pid, 'SIGKILL'); // Electron's own kill sends SIGTERM, which a busy loop outlives
    } catch {
      // It is gone already: its exit is on the way.
    }
  }

  #take(raw: unknown): void {
    if (this.#state === 'written-off' || this.#state === 'exited') return;
    const checked = checkFrame(raw, LIMITS);
    if (!checked.ok) {
      const stream = this.#streams.get(checked.stream as StreamId);
      if (checked.why === 'over' && stream) this.#fault(stream, 'a frame is too large');
      else this.#complain(checked.stream, checked.why);
      return;
    }
    const { frame } = checked;
    if (frame.t === 'ready') {
      this.#ready(frame);
      return;
    }
    const stream = this.#streams.get(frame.s as StreamId);
    if (!stream) {
      this.#complain(frame.s, 'closed stream');
      return;
    }
    const order = stream.order(frame.n);
    if (order === 'repeat') return;
    if (order === 'gap') this.#fault(stream, 'a frame is missing');
    else if (isLast(frame)) this.#last(stream, frame);
    else if (!stream.take(frame, this.#options.clock.monotonic())) this.#fault(stream, 'more frames than granted');
  }

  #ready(frame: Extract<ToMain, { t: 'ready' }>): void {
    this.#disarmReady();
    if (frame.v !== PROTOCOL || frame.role !== this.role) {
      const message = `speaks version ${frame.v} as ${frame.role}, not ${PROTOCOL} as ${this.role}`;
      this.#failAll({ t: 'failed', kind: 'died', cause: 'protocol', name: 'VersionMismatch', message, fields: {} });
      this.kill(message);
      return;
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const held of waiting) this.#child.port.post(held);
  }

  #last(stream: Stream, frame: LastFrame & { n: number }): void {
    this.#streams.delete(stream.id);
    this.#post({ t: 'ack', of: frame.n }, stream.id);
    this.#sent.delete(stream.id);
    stream.settle(frame.t === 'stopped' ? { t: 'stopped' } : endOf(frame));
    this.#options.changed();
  }

  /** The process broke a rule: the stream that showed it ends, the others end with the process. */
  #fault(stream: Stream, message: string): void {
    this.#streams.delete(stream.id);
    stream.settle({ t: 'failed', kind: 'malformed', cause: 'protocol', name: 'ProtocolFault', message, fields: {} });
    this.kill(message);
  }

  #failAll(end: FailedFrame): void {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.settle(end);
  }

  #exit(code: number | null): void {
    this.#exitCode = code;
    if (this.#closed) this.#gone();
    else this.#timers.add(this.#options.clock.after(CLOSE_MS, () => this.#gone(true)));
  }

  /** Exit seen, and the port can bring nothing more. */
  #gone(anyway = false): void {
    if (this.#exitCode === undefined || (!this.#closed && !anyway) || this.#state === 'exited') return;
    const killedByUs = this.#state === 'killed' || this.#state === 'written-off';
    this.#state = 'exited';
    this.#timers.dispose();
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.settle({ t: 'exited', code: this.#exitCode, killedByUs });
    for (const tell of this.#onExited.splice(0)) tell();
    this.#options.changed();
  }

  #writeOff(): void {
    if (this.#state !== 'killed') return;
    this.#state = 'written-off';
    this.#options.log.warn('host.written-off', { role: this.role, afterMs: WRITE_OFF_MS });
    this.#child.port.close();
    this.#options.changed();
  }

  #complain(stream: number, what: string): void {
    if (this.#complained.has(stream)) return;
    this.#complained.add(stream);
    this.#options.log.warn('host.frame-refused', { role: this.role, what, stream });
  }

  #post(body: Body, stream: StreamId | typeof PROCESS, first = false): void {
    if (this.#exitCode !== undefined || this.#closed || this.#state === 'killed' || this.#state === 'written-off')
      return;
    const n = (this.#sent.get(stream) ?? 0) + 1;
    this.#sent.set(stream, n);
    const frame = { v: PROTOCOL, s: stream, n, ...body } as ToHost;
    if (this.#waiting && !first) this.#waiting.push(frame);
    else this.#child.port.post(frame);
  }
}

function endOf(frame: Exclude<LastFrame, { t: 'stopped' }>): Exclude<LastFrame, { t: 'stopped' }> {
  if (frame.t === 'result') return { t: 'result', value: frame.value, finish: frame.finish };
  const { kind, cause, name, message, fields } = frame;
  return { t: 'failed', kind, cause, name, message, fields };
}
