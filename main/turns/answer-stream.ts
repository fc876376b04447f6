/** Streams one answer into the database and the window: a kill at any moment loses at most the last half second. */
import type { SessionId } from '../../shared/model/ids';
import type { ToolCall, Usage } from '../../shared/model/message';
import { appendPart, dropEmptyAnswer, finishMessage } from '../db/messages-table';
import type { FailedFrame, ResultFrame, UsageFrame } from '../hosts/protocol';
import type { StreamEnd, StreamEvent, StreamHandle } from '../hosts/stream-handle';
import type { Clock } from '../lib/clock';
import type { TurnWrites } from './fenced-writes';

/** Half of the promise, so that a slow write still keeps it. */
const FLUSH_MS = 250;

export interface AnswerEnv {
  readonly seam: Pick<TurnWrites, 'write' | 'persist'>;
  readonly clock: Clock;
  readonly sessionId: SessionId;
  /** The streaming message. */
  readonly rid: number;
  readonly modelName: string;
  /** A piece of text; `at` = length of the text before it. */
  delta(at: number, text: string): void;
  /** The first piece, or the first sign of life. */
  began(): void;
}

export type AnswerEnd =
  | { readonly kind: 'answered'; readonly result: ResultFrame }
  | { readonly kind: 'failed'; readonly failed: FailedFrame }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'lost' };

export class AnswerStream {
  readonly #env: AnswerEnv;
  readonly #handle: StreamHandle;
  readonly #startedAt: number;
  #text = '';
  #flushed = 0;
  #parts = 0;
  #timer: (() => void) | null = null;
  #usage: UsageFrame = {};
  /** Set before `store`: tokens that were sent, where the server is proved to have read fewer. */
  cutFrom: number | null = null;
  readonly #called: { readonly name: string; readonly args: string }[] = [];
  #stored: Promise<boolean> | null = null;
  readonly ended: Promise<AnswerEnd>;

  constructor(env: AnswerEnv, handle: StreamHandle) {
    this.#env = env;
    this.#handle = handle;
    this.#startedAt = env.clock.monotonic();
    this.ended = new Promise((resolve) => {
      const stop = handle.on((event) => {
        if (event.t === 'settled') {
          stop();
          this.#timer?.();
          resolve(endOf(event.end));
        } else this.#hear(event);
      });
      if (handle.end) resolve(endOf(handle.end));
    });
  }

  get text(): string {
    return this.#text;
  }
  /** Calls that were heard; an answer that ended well may be given them. */
  get calls(): readonly ToolCall[] {
    return this.#called.map((call, place) => ({ id: callId(this.#env.rid, place), ...call }));
  }
  get usage(): UsageFrame {
    return this.#usage;
  }

  #hear(event: StreamEvent): void {
    if (this.#stored) return; // a host that was given up still talks
    if (event.t === 'usage') this.#usage = { ...this.#usage, ...event };
    if (event.t === 'call') {
      this.#env.began();
      this.#called.push({ name: event.name, args: event.args });
    }
    if (event.t !== 'text' || event.thinking || event.text === '') return; // reasoning is not stored
    if (this.#text === '') this.#env.began();
    this.#env.delta(this.#text.length, event.text);
    this.#text += event.text;
    this.#timer ??= this.#env.clock.after(FLUSH_MS, () => {
      this.#timer = null;
      this.#flush();
    });
  }

  #flush(): void {
    const piece = this.#text.slice(this.#flushed);
    if (piece === '' || this.#stored) return;
    const n = this.#parts++;
    this.#flushed = this.#text.length;
    // a piece that cannot be stored now is in the finished message all the same
    this.#env.seam.write(this.#env.sessionId, (tx) => appendPart(tx, this.#env.rid, n, piece)).catch(() => {});
  }

  /** What is flushed at once when the app ends: nothing is left to a timer. */
  flushNow(): void {
    this.#timer?.();
    this.#timer = null;
    this.#flush();
  }

  /**
   * Joins the parts into the message, once: what comes later changes nothing. An answer without any text or call is
   * taken away again: false.
   */
  store(status: 'complete' | 'partial', calls: readonly ToolCall[] = []): Promise<boolean> {
    this.#stored ??= this.#store(status, calls);
    return this.#stored;
  }

  async #store(status: 'complete' | 'partial', calls: readonly ToolCall[]): Promise<boolean> {
    this.#timer?.();
    const { seam, clock, sessionId, rid } = this.#env;
    const text = this.#text;
    const usage = this.#reported();
    const kept = text !== '' || calls.length > 0;
    const parts = calls.length > 0 ? { parts: { calls } } : {};
    await seam.persist(sessionId, (tx) => {
      if (kept) finishMessage(tx, sessionId, rid, { status, text, ...parts, usage, now: clock.wall() });
      else dropEmptyAnswer(tx, sessionId, rid, clock.wall());
    });
    return kept;
  }

  #reported(): Usage {
    const { prompt, output, cached } = this.#usage;
    const cut = this.cutFrom === null ? {} : { cutFrom: this.cutFrom };
    return {
      ...cut,
      model: this.#env.modelName,
      promptTokens: prompt ?? null,
      outputTokens: output ?? null,
      cachedTokens: cached ?? null,
      tookMs: Math.round(this.#env.clock.monotonic() - this.#startedAt),
    };
  }

  get handle(): StreamHandle {
    return this.#handle;
  }
}

/**
 * Nine letters and digits, as the strictest templates want them; unique, since an answer's number is. The server's own
 * ids are not kept: not every server gives them, and some give the same ones again.
 */
function callId(rid: number, place: number): string {
  return `c${rid.toString(36).padStart(6, '0').slice(-6)}${place.toString(36).padStart(2, '0').slice(-2)}`;
}

function endOf(end: StreamEnd): AnswerEnd {
  switch (end.t) {
    case 'result':
      return { kind: 'answered', result: end };
    case 'failed':
      return { kind: 'failed', failed: end };
    case 'stopped':
      return { kind: 'stopped' };
    case 'exited':
      return { kind: 'lost' };
  }
}
