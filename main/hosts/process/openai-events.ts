import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { ResultFrame, UsageFrame } from '../protocol';
import { CallPieces } from './call-pieces';
import { failureOfBody } from './http-exchange';
import { JobFailure } from './job-failure';

/** Fewer freshly read tokens than this say nothing about speed. */
const RATE_TOKENS = 16;

export interface OpenAiListener {
  text(text: string, thinking: boolean): void;
  /** A tool is called: told once its arguments are whole. */
  call(name: string, args: string): void;
  usage(usage: UsageFrame): void;
  /** llama.cpp's server tells how far it has read. */
  progress(done: number, of: number): void;
  /** Something arrived that carries no text: a comment, a role, an empty piece. */
  alive(): void;
}

/**
 * Reads the event stream of `/chat/completions`, as OpenAI, llama.cpp, vLLM, LM Studio and Jan send it. Feed it
 * bytes in whatever pieces they come. Throws JobFailure for an error event, broken JSON or an over-long event.
 */
export class OpenAiEvents {
  readonly #listener: OpenAiListener;
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder();
  readonly #calls = new CallPieces();
  #failure: JobFailure | null = null;
  #finish: ResultFrame['finish'] | null = null;
  #done = false;

  constructor(listener: OpenAiListener, lineBytes: number) {
    this.#listener = listener;
    this.#parser = createParser({
      maxBufferSize: lineBytes,
      onEvent: (event) => this.#event(event.data, event.event),
      onComment: () => listener.alive(),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#fail(tooLong(lineBytes));
        else if (error.type === 'unknown-field' && error.line !== undefined) this.#bareLine(error.line);
      },
    });
  }

  /** True after `[DONE]`: nothing that follows belongs to the answer. */
  get done(): boolean {
    return this.#done;
  }

  feed(bytes: Uint8Array): void {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    if (this.#failure) throw this.#failure;
  }

  /** Call at the end of the body: calls are told now. Throws where the answer did not end by its own word. */
  end(): ResultFrame['finish'] {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    if (this.#failure) throw this.#failure;
    if (this.#finish === null) throw new JobFailure('died', 'broke-off', 'the stream broke off', {}, 'StreamEnded');
    for (const { name, args } of this.#calls.whole()) this.#listener.call(name, args);
    return this.#finish;
  }

  #event(data: string, name: string | undefined): void {
    if (this.#failure || this.#done) return;
    if (data === '[DONE]') {
      this.#done = true;
      return;
    }
    const chunk = asRecord(parse(data));
    if (chunk === null) {
      this.#fail(new JobFailure('malformed', 'protocol', 'an event is not JSON'));
      return;
    }
    if (name === 'error' || chunk.error !== undefined) {
      this.#fail(failureOfBody(null, data));
      return;
    }
    this.#numbers(chunk);
    const choice = asRecord(Array.isArray(chunk.choices) ? chunk.choices[0] : null);
    if (choice === null) return;
    this.#piece(choice);
    if (typeof choice.finish_reason === 'string') this.#finish = finishOf(choice.finish_reason);
  }

  #piece(choice: Record<string, unknown>): void {
    const delta = asRecord(choice.delta) ?? asRecord(choice.message);
    const thinking = delta?.reasoning_content ?? delta?.reasoning;
    if (typeof thinking === 'string' && thinking !== '') this.#listener.text(thinking, true);
    this.#calls.take(delta?.tool_calls);
    if (typeof delta?.content === 'string' && delta.content !== '') this.#listener.text(delta.content, false);
    else if (typeof thinking !== 'string') this.#listener.alive();
  }

  #numbers(chunk: Record<string, unknown>): void {
    const progress = asRecord(chunk.prompt_progress);
    if (typeof progress?.processed === 'number' && typeof progress.total === 'number') {
      this.#listener.progress(progress.processed, progress.total);
    }
    const usage = usageOf(asRecord(chunk.usage), asRecord(chunk.timings));
    if (usage) this.#listener.usage(usage);
  }

  /** Some servers answer an error as a plain JSON line in the middle of a stream. */
  #bareLine(line: string): void {
    if (asRecord(parse(line))?.error !== undefined) this.#fail(failureOfBody(null, line));
  }

  #fail(failure: JobFailure): void {
    this.#failure ??= failure;
  }
}

function usageOf(usage: Record<string, unknown> | null, timings: Record<string, unknown> | null): UsageFrame | null {
  if (!usage && !timings) return null;
  const cached = asRecord(usage?.prompt_tokens_details)?.cached_tokens ?? timings?.cache_n;
  const read = num(timings?.prompt_n);
  const prompt = num(usage?.prompt_tokens) ?? (read === undefined ? undefined : read + (num(timings?.cache_n) ?? 0));
  return {
    ...some('prompt', prompt),
    ...some('output', num(usage?.completion_tokens) ?? num(timings?.predicted_n)),
    ...some('cached', num(cached)),
    ...some('prefillRate', (read ?? 0) >= RATE_TOKENS ? num(timings?.prompt_per_second) : undefined),
    ...some('decodeRate', num(timings?.predicted_per_second)),
  };
}

function some<K extends keyof UsageFrame>(key: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, number>);
}

function finishOf(reason: string): ResultFrame['finish'] {
  if (reason === 'length') return 'length';
  return reason === 'tool_calls' || reason === 'function_call' ? 'calls' : 'stop';
}

function tooLong(lineBytes: number): JobFailure {
  return new JobFailure('malformed', 'protocol', 'an event is too long', { lineBytes });
}

function num(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
