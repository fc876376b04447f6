import { assertNever } from '../../../shared/exhaustive';
import type { Clock } from '../../lib/clock';
import type { HostJob, HostRole, LastFrame, Limits, StreamId, ToHost, ToMain } from '../protocol';
import { LIMITS, PROCESS, PROTOCOL } from '../protocol';
import { Gate } from './hold';
import type { JobContext, RunJob, Sink } from './job';
import { failureOf } from './job-failure';
import { OutStream } from './out-stream';
import type { Port } from './port';

export interface HostProcessOptions {
  readonly port: Port;
  readonly clock: Clock;
  readonly pid: number;
  readonly runtime: string;
  /** What runs the jobs of that role. */
  readonly runnerOf: (role: HostRole) => RunJob;
  /** Ends the process. */
  readonly exit: (how: 'done' | 'orphaned') => void;
}

interface Running {
  readonly out: OutStream;
  readonly abort: AbortController;
  readonly gate: Gate;
  read: number;
}

/** What runs inside a utility process: takes frames from main, runs jobs, and ends when main is gone. */
export class HostProcess {
  readonly #options: HostProcessOptions;
  readonly #streams = new Map<StreamId, Running>();
  #run: RunJob | null = null;
  #limits: Limits = LIMITS;
  #read = 0;
  #leaving = false;

  constructor(options: HostProcessOptions) {
    this.#options = options;
    options.port.onMessage((frame) => this.#take(frame as ToHost));
    options.port.onClose(() => {
      for (const { abort } of this.#streams.values()) abort.abort();
      options.exit('orphaned');
    });
  }

  #take(frame: ToHost): void {
    if (frame.v !== PROTOCOL) {
      // Only `start` is answered: main then sees which version this is, and ends the process.
      if (frame.t === 'start') this.#ready(frame.role);
      return;
    }
    if (frame.s === PROCESS) {
      if (frame.n <= this.#read) return;
      this.#read = frame.n;
      this.#takeOwn(frame);
      return;
    }
    const running = this.#streams.get(frame.s);
    if (frame.t === 'open') {
      if (!running) this.#open(frame.s, frame.job, frame.credit);
      return;
    }
    if (!running || frame.n <= running.read) return;
    running.read = frame.n;
    this.#takeStream(frame, running);
  }

  #takeOwn(frame: ToHost): void {
    if (frame.t === 'start') {
      this.#limits = frame.limits;
      this.#run = this.#options.runnerOf(frame.role);
      this.#ready(frame.role);
    } else if (frame.t === 'bye') {
      this.#leaving = true;
      this.#options.clock.after(frame.graceMs, () => this.#options.exit('done'));
      this.#leave();
    }
  }

  #takeStream(frame: ToHost, running: Running): void {
    switch (frame.t) {
      case 'credit':
        running.out.credit(frame.frames);
        return;
      case 'pause':
        running.gate.pause();
        return;
      case 'resume':
        running.gate.resume();
        return;
      case 'cancel':
        if (running.out.settled) running.out.repeatLast();
        else {
          running.out.discard();
          running.gate.release();
          running.abort.abort();
        }
        return;
      case 'ack':
        if (!running.out.acknowledged(frame.of)) return;
        this.#streams.delete(running.out.id);
        this.#leave();
        return;
      case 'start':
      case 'open':
      case 'bye':
        return;
      default:
        assertNever(frame);
    }
  }

  #open(id: StreamId, job: HostJob, credit: number): void {
    const { port, clock } = this.#options;
    const out = new OutStream(id, credit, (frame: ToMain) => port.post(frame), clock, this.#limits);
    const gate = new Gate((paused) => out.send({ t: paused ? 'paused' : 'resumed' }));
    const running: Running = { out, gate, abort: new AbortController(), read: 1 };
    this.#streams.set(id, running);
    void this.#work(job, running);
  }

  async #work(job: HostJob, { out, abort, gate }: Running): Promise<void> {
    let late = 0;
    const sink: Sink = {
      phase: (phase, done, of) =>
        out.send(done === undefined || of === undefined ? { t: 'phase', phase } : { t: 'phase', phase, done, of }),
      alive: () => out.alive(),
      text: (text, thinking = false) => {
        if (!abort.signal.aborted) out.text(text, thinking);
      },
      call: (name, args) => {
        if (!abort.signal.aborted) out.call(name, args);
      },
      usage: (usage) => {
        if (Object.keys(usage).length > 0) out.send({ t: 'usage', ...usage });
      },
      tools: (list) => out.send({ t: 'tools', ...list }),
      stderr: (lines) => out.send({ t: 'stderr', lines }),
      progress: (line) => out.send({ t: 'progress', line }),
      waiting: (waits) => out.send({ t: waits ? 'paused' : 'resumed' }),
      lateBytes: (bytes) => {
        late += bytes;
      },
      room: () => out.room(),
    };
    const context: JobContext = {
      sink,
      signal: abort.signal,
      hold: gate,
      limits: this.#limits,
      clock: this.#options.clock,
    };
    let last: LastFrame;
    try {
      if (!this.#run) throw new Error('a job came before start');
      const end = await this.#run(job, context);
      last = { t: 'result', ...end };
    } catch (error) {
      last = abort.signal.aborted ? { t: 'stopped', bytesAfterCancel: late } : { t: 'failed', ...failureOf(error) };
    }
    out.settle(last);
  }

  #ready(role: HostRole): void {
    const { port, pid, runtime } = this.#options;
    port.post({ v: PROTOCOL, s: PROCESS, n: 1, t: 'ready', role, pid, runtime });
  }

  #leave(): void {
    if (this.#leaving && this.#streams.size === 0) this.#options.exit('done');
  }
}
