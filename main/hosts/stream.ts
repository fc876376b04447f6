import { Emitter } from '../lib/emitter';
import type { CancelWhy, HostJob, StreamId, ToMain } from './protocol';
import { CREDIT, LIMITS } from './protocol';
import type { StreamEnd, StreamEvent, StreamHandle } from './stream-handle';

/** What a stream asks of the host it runs in. */
export interface StreamHost {
  send(stream: StreamId, body: { t: 'cancel'; why: CancelWhy } | { t: 'pause' } | { t: 'resume' }): void;
  topUp(stream: StreamId, frames: number): void;
  /** Runs `fn` once everything that has arrived by now was handled. */
  later(fn: () => void): void;
  kill(): void;
}

/** More frames without text than this within a second are a flood: an honest host sends about thirty. */
const QUIET_PER_SECOND = 1_000;

/** Main's record of one stream: numbering, credit, and the handle that its owner listens to. */
export class Stream implements StreamHandle {
  readonly id: StreamId;
  readonly job: HostJob;
  readonly #host: StreamHost;
  readonly #events: Emitter<StreamEvent>;
  #end: StreamEnd | null = null;
  #read = 0;
  /** Text frames the host may still send. */
  #credit: number = CREDIT.start;
  #toppingUp = false;
  #answerBytes = 0;
  #quiet = 0;
  #quietSince = 0;

  constructor(id: StreamId, job: HostJob, host: StreamHost, report: (error: unknown) => void) {
    this.id = id;
    this.job = job;
    this.#host = host;
    this.#events = new Emitter(report);
  }

  get end(): StreamEnd | null {
    return this.#end;
  }

  on(listener: (event: StreamEvent) => void): () => void {
    return this.#events.on(listener);
  }

  cancel(why: CancelWhy): void {
    if (!this.#end) this.#host.send(this.id, { t: 'cancel', why });
  }

  kill(): void {
    if (!this.#end) this.#host.kill();
  }

  pause(): void {
    if (!this.#end) this.#host.send(this.id, { t: 'pause' });
  }

  resume(): void {
    if (!this.#end) this.#host.send(this.id, { t: 'resume' });
  }

  /** `fresh` = next in number; a repeat is dropped, a gap is a fault. */
  order(n: number): 'fresh' | 'repeat' | 'gap' {
    if (n <= this.#read) return 'repeat';
    if (n > this.#read + 1) return 'gap';
    this.#read = n;
    return 'fresh';
  }

  /** Hands a frame that is not the last one to the owner. Answers false for a frame beyond what was granted. */
  take(frame: Exclude<ToMain, { t: 'ready' | 'result' | 'failed' | 'stopped' }>, now: number): boolean {
    if (frame.t === 'text') {
      this.#answerBytes += Buffer.byteLength(frame.text);
      if (this.#credit === 0 || this.#answerBytes > LIMITS.answerBytes) return false;
      this.#credit--;
    } else if (this.#tooMany(now)) return false;
    this.#events.emit(eventOf(frame));
    if (frame.t === 'text' && this.#credit <= CREDIT.topUpAt) this.#topUpLater();
    return true;
  }

  settle(end: StreamEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#events.emit({ t: 'settled', end });
  }

  /** Not in the same step: what a mad process has sent in one burst must run into its credit. */
  #topUpLater(): void {
    if (this.#toppingUp) return;
    this.#toppingUp = true;
    this.#host.later(() => {
      this.#toppingUp = false;
      if (this.#end) return;
      const frames = CREDIT.start - this.#credit;
      this.#credit = CREDIT.start;
      this.#host.topUp(this.id, frames);
    });
  }

  #tooMany(now: number): boolean {
    if (now - this.#quietSince > 1_000) {
      this.#quietSince = now;
      this.#quiet = 0;
    }
    this.#quiet++;
    return this.#quiet > QUIET_PER_SECOND;
  }
}

function eventOf(frame: Exclude<ToMain, { t: 'ready' | 'result' | 'failed' | 'stopped' }>): StreamEvent {
  switch (frame.t) {
    case 'phase':
      return frame.done === undefined || frame.of === undefined
        ? { t: 'phase', phase: frame.phase }
        : { t: 'phase', phase: frame.phase, done: frame.done, of: frame.of };
    case 'text':
      return frame.thinking ? { t: 'text', text: frame.text, thinking: true } : { t: 'text', text: frame.text };
    case 'call':
      return { t: 'call', name: frame.name, args: frame.args };
    case 'usage': {
      const { v: _v, s: _s, n: _n, ...usage } = frame;
      return usage;
    }
    case 'tools':
      return { t: 'tools', title: frame.title, tools: frame.tools, leftOut: frame.leftOut };
    case 'stderr':
      return { t: 'stderr', lines: frame.lines };
    case 'progress':
      return { t: 'progress', line: frame.line };
    case 'alive':
    case 'paused':
    case 'resumed':
      return { t: frame.t };
  }
}
