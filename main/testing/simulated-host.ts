import type { CancelWhy, HostJob, Job, StreamId, Target } from '../hosts/protocol';
import type {
  AttemptSlot,
  OpenRefusal,
  StreamEnd,
  StreamEvent,
  StreamHandle,
  StreamOpener,
} from '../hosts/stream-handle';
import { Emitter } from '../lib/emitter';

/** A stream that does what the test says, when the test says it. */
export class SimulatedStream<J extends HostJob = Job> implements StreamHandle {
  readonly id: StreamId;
  readonly job: J;
  /** Every cancel it was sent, in order. */
  readonly cancels: CancelWhy[] = [];
  killed = false;
  paused = false;
  /** What a kill leads to: `at-once` = exited in the same step, `never` = the test lets it exit. */
  onKill: 'at-once' | 'never' = 'at-once';
  /** What a cancel leads to: `stop` = stopped in the same step, `ignore` = nothing until the test settles it. */
  onCancel: 'stop' | 'ignore' = 'stop';
  #end: StreamEnd | null = null;
  readonly #events: Emitter<StreamEvent>;

  /** `report` hears what a listener throws. */
  constructor(id: StreamId, job: J, report?: (error: unknown) => void) {
    this.id = id;
    this.job = job;
    this.#events = new Emitter(report);
  }

  get end(): StreamEnd | null {
    return this.#end;
  }
  on(listener: (event: StreamEvent) => void): () => void {
    return this.#events.on(listener);
  }
  cancel(why: CancelWhy): void {
    if (this.#end) return;
    this.cancels.push(why);
    if (this.onCancel === 'stop') this.settle({ t: 'stopped' });
  }
  kill(): void {
    if (this.#end) return;
    this.killed = true;
    if (this.onKill === 'at-once') this.exit();
  }
  pause(): void {
    this.paused = true;
    this.emit({ t: 'paused' });
  }
  resume(): void {
    this.paused = false;
    this.emit({ t: 'resumed' });
  }

  /** Reports something, unless it has ended. */
  emit(event: Exclude<StreamEvent, { t: 'settled' }>): void {
    if (!this.#end) this.#events.emit(event);
  }
  settle(end: StreamEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#events.emit({ t: 'settled', end });
  }
  /** Ends well with this text. */
  answer(text: string, finish: 'stop' | 'length' = 'stop'): void {
    this.emit({ t: 'text', text });
    this.settle({ t: 'result', value: { text }, finish });
  }
  /** Ends well with calls of tools, each by its name and arguments, after some text or none. */
  call(calls: readonly (readonly [name: string, args: object | string])[], text = ''): void {
    if (text !== '') this.emit({ t: 'text', text });
    for (const [name, args] of calls)
      this.emit({ t: 'call', name, args: typeof args === 'string' ? args : JSON.stringify(args) });
    this.settle({ t: 'result', value: { text }, finish: 'calls' });
  }
  /** The worker died of its own timeout error, as in P1. */
  dieOfTimeout(): void {
    this.settle({
      t: 'failed',
      kind: 'stalled',
      cause: 'timeout',
      name: 'TimeoutError',
      message: 'stalled',
      fields: {},
    });
  }
  exit(code: number | null = this.killed ? null : 1): void {
    this.settle({ t: 'exited', code, killedByUs: this.killed });
  }
  /** Says something after its end, as a mad process would: nothing may come of it. */
  emitLate(event: StreamEvent): void {
    this.#events.emit(event);
  }
}

/** A StreamOpener without processes: every stream is in the test's hands. */
export class SimulatedHost implements StreamOpener {
  readonly streams: SimulatedStream[] = [];
  /** Set to have every open and reserve refused. */
  refusal: OpenRefusal | null = null;
  /** Called with each new stream, in the step in which it is opened. */
  onOpen: (stream: SimulatedStream) => void = () => {};
  readonly #slots: number;
  readonly #reserved = new Map<object, SimulatedStream | null>();
  readonly #slotWaiters = new Set<() => void>();
  #nextId = 1;
  #openWaiters: ((stream: SimulatedStream) => void)[] = [];

  constructor(slots = 2) {
    this.#slots = slots;
  }

  get last(): SimulatedStream {
    const stream = this.streams.at(-1);
    if (!stream) throw new Error('no stream was opened');
    return stream;
  }
  get running(): SimulatedStream[] {
    return this.streams.filter(({ end }) => end === null);
  }
  /** Resolves with the next stream that is opened. */
  nextOpen(): Promise<SimulatedStream> {
    return new Promise((resolve) => this.#openWaiters.push(resolve));
  }

  open(job: Job): StreamHandle | OpenRefusal {
    return this.refusal ?? this.#stream(job);
  }

  reserve(_target: Target): AttemptSlot | OpenRefusal {
    if (this.refusal) return this.refusal;
    if (this.#reserved.size >= this.#slots) return { refused: 'no-slot' };
    const key = {};
    this.#reserved.set(key, null);
    return {
      open: (job) => {
        if (this.refusal) return this.refusal;
        const stream = this.#stream(job);
        this.#reserved.set(key, stream);
        return stream;
      },
      release: () => {
        const last = this.#reserved.get(key);
        // A stream that is still being stopped keeps the place.
        if (last && !last.end) last.on((event) => event.t === 'settled' && this.#free(key));
        else this.#free(key);
      },
    };
  }

  hasPlace(_target: Target): boolean {
    return this.refusal === null && this.#reserved.size < this.#slots;
  }

  onSlotFree(fn: () => void): () => void {
    this.#slotWaiters.add(fn);
    return () => this.#slotWaiters.delete(fn);
  }

  #free(key: object): void {
    if (!this.#reserved.delete(key)) return;
    for (const tell of [...this.#slotWaiters]) tell();
  }

  #stream(job: Job): SimulatedStream {
    const stream = new SimulatedStream(this.#nextId++ as StreamId, job);
    this.streams.push(stream);
    this.onOpen(stream);
    for (const tell of this.#openWaiters.splice(0)) tell(stream);
    return stream;
  }
}
