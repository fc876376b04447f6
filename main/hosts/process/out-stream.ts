import type { Clock } from '../../lib/clock';
import type { LastFrame, Limits, StreamId, ToMain } from '../protocol';
import { PROTOCOL } from '../protocol';
import { JobFailure } from './job-failure';

type Body = ToMain extends infer F ? (F extends unknown ? Omit<F, 'v' | 's' | 'n'> : never) : never;

/** Pieces of text are joined for this long before a frame leaves: about 30 frames a second. */
const JOIN_MS = 33;
/** Most UTF-16 units of one text frame: at most three bytes each, which keeps it under 16 kB. */
const FRAME_UNITS = 5_000;
/** Text that may wait for credit before the job is held back, in UTF-16 units. */
const ROOM_UNITS = 64_000;

/**
 * Host's side of one stream: numbers its frames, joins and meters its text, and keeps the last frame until main
 * has acknowledged it. Text always leaves before the last frame, unless a cancel makes it worthless.
 */
export class OutStream {
  readonly id: StreamId;
  readonly #post: (frame: ToMain) => void;
  readonly #clock: Clock;
  readonly #limits: Limits;
  #n = 0;
  #credit: number;
  #queue: { text: string; thinking: boolean }[] = [];
  #queued = 0;
  #answerBytes = 0;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #disarm: (() => void) | null = null;
  #roomWaiters: (() => void)[] = [];
  #last: LastFrame | null = null;
  #sentLast: ToMain | null = null;
  #aliveAt = Number.NEGATIVE_INFINITY;

  constructor(id: StreamId, credit: number, post: (frame: ToMain) => void, clock: Clock, limits: Limits) {
    this.id = id;
    this.#credit = credit;
    this.#post = post;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** True once the last frame is decided: nothing the job still says is heard. */
  get settled(): boolean {
    return this.#last !== null;
  }

  send(body: Body): void {
    if (this.#last) return;
    if (body.t !== 'text') this.#flush();
    this.#put(body);
  }

  /** A sign of life and no more: once a second is enough. */
  alive(): void {
    const now = this.#clock.monotonic();
    if (now - this.#aliveAt < 1_000) return;
    this.#aliveAt = now;
    this.send({ t: 'alive' });
  }

  text(text: string, thinking: boolean): void {
    if (this.#last) return;
    this.#count(Buffer.byteLength(text));
    const tail = this.#queue.at(-1);
    if (tail && tail.thinking === thinking) tail.text += text;
    else this.#queue.push({ text, thinking });
    this.#queued += text.length;
    const wait = this.#flushedAt + JOIN_MS - this.#clock.monotonic();
    if (wait <= 0) this.#flush();
    else this.#disarm ??= this.#clock.after(wait, () => this.#flush());
  }

  call(name: string, args: string): void {
    if (this.#last) return;
    this.#count(name.length + Buffer.byteLength(args));
    this.send({ t: 'call', name, args });
  }

  room(): Promise<void> {
    if (this.#queued < ROOM_UNITS || this.#last) return Promise.resolve();
    return new Promise((resolve) => this.#roomWaiters.push(resolve));
  }

  credit(frames: number): void {
    this.#credit += frames;
    this.#flush();
  }

  settle(last: LastFrame): void {
    if (this.#last) return;
    this.#flush();
    this.#last = last;
    this.#letGo();
    if (this.#queue.length === 0) this.#putLast(last);
  }

  /** Answers a cancel that came after the end: settled wins, the last frame is given (again). */
  repeatLast(): void {
    if (this.#sentLast) this.#post(this.#sentLast);
    else if (this.#last) {
      this.#queue = [];
      this.#putLast(this.#last);
    }
  }

  /** Lets the job run on although nobody takes its text: it is being cancelled. */
  discard(): void {
    this.#queue = [];
    this.#queued = 0;
    this.#letGo();
  }

  acknowledged(of: number): boolean {
    return this.#sentLast?.n === of;
  }

  dispose(): void {
    this.#disarm?.();
    this.#disarm = null;
    this.#letGo();
  }

  #count(bytes: number): void {
    this.#answerBytes += bytes;
    if (this.#answerBytes > this.#limits.answerBytes) {
      throw new JobFailure('too-large', 'protocol', 'answer too long', { answerBytes: this.#limits.answerBytes });
    }
  }

  #flush(): void {
    this.#disarm?.();
    this.#disarm = null;
    let head = this.#queue[0];
    while (head && this.#credit > 0) {
      const piece = head.text.slice(0, cutLength(head.text));
      head.text = head.text.slice(piece.length);
      if (head.text === '') this.#queue.shift();
      this.#credit--;
      this.#queued -= piece.length;
      this.#flushedAt = this.#clock.monotonic();
      this.#put(head.thinking ? { t: 'text', text: piece, thinking: true } : { t: 'text', text: piece });
      head = this.#queue[0];
    }
    if (this.#queued < ROOM_UNITS) this.#letGo();
    if (this.#last && !this.#sentLast && this.#queue.length === 0) this.#putLast(this.#last);
  }

  #letGo(): void {
    for (const resolve of this.#roomWaiters.splice(0)) resolve();
  }

  #putLast(last: LastFrame): void {
    this.#sentLast = this.#put(last);
    this.dispose();
  }

  #put(body: Body): ToMain {
    const frame = { v: PROTOCOL, s: this.id, n: ++this.#n, ...body } as ToMain;
    this.#post(frame);
    return frame;
  }
}

/** A frame's share of a text, never parting a surrogate pair. */
function cutLength(text: string): number {
  if (text.length <= FRAME_UNITS) return text.length;
  const unit = text.charCodeAt(FRAME_UNITS - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? FRAME_UNITS - 1 : FRAME_UNITS;
}
