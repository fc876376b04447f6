import type { ResultFrame, UsageFrame } from '../protocol';
import type { JobContext, JobEnd } from './job';
import { JobFailure } from './job-failure';
import { ThinkSplitter } from './think-splitter';

/** Fewer tokens or milliseconds than these say nothing about speed. */
const RATE_TOKENS = 50;
const RATE_MS = 20;

/** Collects one streamed answer: parts reasoning off, stamps phases, measures rates the server did not give. */
export class Answer {
  readonly #context: JobContext;
  readonly #fresh: boolean;
  readonly #splitter: ThinkSplitter;
  #text = '';
  #thought = false;
  #called = false;
  #sentAt: number | null = null;
  #firstAt: number | null = null;
  #usage: UsageFrame = {};

  /** `fresh` = little of the prompt can come from a cache, so that the time to the first piece measures reading. */
  constructor(context: JobContext, fresh: boolean) {
    this.#context = context;
    this.#fresh = fresh;
    this.#splitter = new ThinkSplitter((text, thinking) => this.#piece(text, thinking));
  }

  /** The request is with the server. */
  sent(): void {
    this.#sentAt = this.#context.clock.monotonic();
  }

  text(text: string, thinking: boolean): void {
    if (thinking) this.#piece(text, true);
    else this.#splitter.push(text);
  }

  /** A tool is called: with that an answer may be without any text. */
  call(name: string, args: string): void {
    this.#begin();
    this.#called = true;
    this.#context.sink.call(name, args);
  }

  usage(usage: UsageFrame): void {
    this.#usage = { ...this.#usage, ...usage };
  }

  /** Reports usage and gives the result. An answer without any text is a failure, whatever the server says. */
  end(finish: ResultFrame['finish']): JobEnd {
    this.#splitter.end();
    this.#context.sink.usage({ ...this.#measured(), ...this.#usage });
    // a call that was cut off is none
    if (this.#called && finish !== 'length') return { value: { text: this.#text }, finish: 'calls' };
    if (this.#text.trim() === '') {
      const why = this.#thought ? 'only reasoning came' : 'no text came';
      throw new JobFailure(finish === 'length' ? 'cut' : 'empty', 'server-error', why);
    }
    return { value: { text: this.#text }, finish: finish === 'calls' ? 'stop' : finish };
  }

  #begin(): void {
    if (this.#firstAt !== null) return;
    this.#firstAt = this.#context.clock.monotonic();
    this.#context.sink.phase('writing');
  }

  #piece(text: string, thinking: boolean): void {
    this.#begin();
    if (thinking) this.#thought = true;
    else this.#text += text;
    this.#context.sink.text(text, thinking);
  }

  #measured(): UsageFrame {
    if (this.#sentAt === null || this.#firstAt === null) return {};
    const { prompt, output, cached } = this.#usage;
    const read = (prompt ?? 0) - (cached ?? 0);
    const readMs = this.#firstAt - this.#sentAt;
    const writeMs = this.#context.clock.monotonic() - this.#firstAt;
    return {
      ...((this.#fresh || cached !== undefined) && read >= RATE_TOKENS && readMs >= RATE_MS
        ? { prefillRate: (read * 1_000) / readMs }
        : {}),
      ...(output !== undefined && output >= RATE_TOKENS && writeMs >= RATE_MS
        ? { decodeRate: (output * 1_000) / writeMs }
        : {}),
    };
  }
}
