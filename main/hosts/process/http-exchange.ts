import http from 'node:http';
import https from 'node:https';
import { type Clock, patiently } from '../../lib/clock';
import type { Target } from '../protocol';
import { mayCarryKey } from './address';
import { agentFor } from './agents';
import type { JobContext } from './job';
import { JobFailure } from './job-failure';
import { overflowIn } from './overflow';
import { refusesTools } from './tool-refusal';

/** Most of an error's body that is read, in bytes. */
const ERROR_BODY_MAX = 64_000;
/** Redirects followed on the same host. */
const REDIRECTS_MAX = 3;

export interface ExchangeOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly key: string | null;
  /** Where the system sends requests to that address; null = straight. */
  readonly proxy: string | null;
  readonly lineBytes: number;
  /** Milliseconds in which the server must have taken the request. */
  readonly sendMs: number;
  /** Milliseconds from then to the answer's header: servers read the whole prompt before they send it. */
  readonly headerMs: number;
  /** Called once the request is with the server. */
  readonly onSent: () => void;
}

/** What every exchange of a job with its target has in common. */
export function exchangeWith(target: Exclude<Target, { kind: 'embedded' }>, { signal, clock, limits }: JobContext) {
  const { key, proxy = null } = target;
  return { signal, clock, key, proxy, lineBytes: limits.lineBytes, sendMs: limits.headerMs };
}

/**
 * One request under this app's limits, shaped like `fetch` so that maintained clients can use it. Built on node:http
 * and not on the global fetch because of what the latter cannot do: it gives up after 300 s without a byte, follows
 * redirects with the key, and does not tell when the socket is closed, which is what `stopped` has to prove.
 */
export class HttpExchange {
  readonly #options: ExchangeOptions;
  #closed: Promise<void> = Promise.resolve();
  #late: () => number = () => 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Bytes that the socket still read after the signal was aborted. */
  get lateBytes(): number {
    return this.#late();
  }

  /** Resolves when no byte of this exchange can arrive any more. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  /** Rejects with JobFailure for every answer that is not a success. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    let url = new URL(input instanceof Request ? input.url : input);
    const origin = url.host;
    for (let hop = 0; ; hop++) {
      const answer = await this.#send(url, init);
      const status = answer.statusCode ?? 0;
      if (status >= 200 && status < 300) return this.#response(answer);
      const location = answer.headers.location;
      if (status < 300 || status >= 400 || location === undefined) throw await refusal(answer);
      answer.destroy();
      const next = new URL(location, url);
      if (next.host !== origin || next.protocol !== url.protocol || hop === REDIRECTS_MAX) {
        throw new JobFailure('refused', 'http', 'redirect to another address', { status, address: next.origin });
      }
      url = next;
    }
  };

  async #send(url: URL, init: RequestInit): Promise<http.IncomingMessage> {
    try {
      return await this.#try(url, init);
    } catch (error) {
      // A kept socket that the server closed in the moment we took it: the request never began, so it is sent again.
      if (!(error instanceof StaleSocket)) throw error;
      return this.#try(url, init);
    }
  }

  #try(url: URL, init: RequestInit): Promise<http.IncomingMessage> {
    const { signal, clock, key, proxy, sendMs, headerMs, onSent } = this.#options;
    signal.throwIfAborted();
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new JobFailure('refused', 'http', 'not an HTTP address', { address: url.origin });
    }
    const headers = Object.fromEntries(new Headers(init.headers));
    delete headers.authorization;
    if (key !== null) {
      if (!mayCarryKey(url)) {
        throw new JobFailure('refused', 'http', 'insecure-address', { address: url.origin });
      }
      headers.authorization = `Bearer ${key}`;
    }
    const body = typeof init.body === 'string' ? Buffer.from(init.body) : null;
    if (body) headers['content-length'] = String(body.length);
    return new Promise((resolve, reject) => {
      const client = url.protocol === 'https:' ? https : http;
      const request = client.request(url, {
        method: init.method ?? 'GET',
        headers,
        agent: agentFor(url, proxy),
      });
      let answered: http.IncomingMessage | null = null;
      const stop = () => {
        const read = () => request.socket?.bytesRead ?? 0;
        const before = read();
        this.#late = () => read() - before;
        // The answer itself where there is one: the request alone would leave what waits in its buffer to be read.
        (answered ?? request).destroy(new DOMException('cancelled', 'AbortError'));
      };
      let disarm = patiently(clock, sendMs, () => request.destroy(timedOut(sendMs)));
      this.#closed = new Promise((done) => request.once('close', done));
      signal.addEventListener('abort', stop, { once: true });
      request.once('close', () => {
        disarm();
        signal.removeEventListener('abort', stop);
      });
      request.once('finish', () => {
        disarm();
        disarm = patiently(clock, headerMs, () => request.destroy(timedOut(headerMs)));
        onSent();
      });
      request.once('response', (answer) => {
        disarm();
        answered = answer;
        this.#closed = new Promise((done) => answer.once('close', done));
        resolve(answer);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleSocket() : error);
      });
      request.end(body ?? undefined);
    });
  }

  #response(answer: http.IncomingMessage): Response {
    const type = answer.headers['content-type'];
    return new Response(streamOf(this.#guarded(answer)), {
      status: answer.statusCode ?? 200,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
  }

  async *#guarded(answer: http.IncomingMessage): AsyncGenerator<Uint8Array> {
    let line = 0;
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        const lastBreak = chunk.lastIndexOf(10);
        line = lastBreak < 0 ? line + chunk.length : chunk.length - lastBreak - 1;
        if (Math.max(line, chunk.indexOf(10)) > this.#options.lineBytes) {
          throw new JobFailure('malformed', 'protocol', 'line too long', { lineBytes: this.#options.lineBytes });
        }
        yield chunk;
      }
    } finally {
      answer.destroy();
    }
  }
}

class StaleSocket extends Error {}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

function timedOut(ms: number): DOMException {
  return new DOMException(`no answer within ${ms} ms`, 'TimeoutError');
}

async function refusal(answer: http.IncomingMessage): Promise<JobFailure> {
  const status = answer.statusCode ?? 0;
  const body = await start(answer);
  const retry = Number(answer.headers['retry-after']);
  return failureOfBody(status, body, Number.isFinite(retry) && retry > 0 ? { retryAfterMs: retry * 1_000 } : {});
}

async function start(answer: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    parts.push(chunk);
    size += chunk.length;
    if (size > ERROR_BODY_MAX) break;
  }
  answer.destroy();
  return Buffer.concat(parts).subarray(0, ERROR_BODY_MAX).toString('utf8');
}

/** A server's error, from an answer with a status, or (status null) from inside a stream. */
export function failureOfBody(status: number | null, body: string, fields: Record<string, number> = {}): JobFailure {
  const known = status === null ? fields : { ...fields, status };
  const overflow = overflowIn(status, body);
  if (overflow) {
    return new JobFailure('refused', 'overflow', sentence(body), {
      ...known,
      ...(overflow.needTokens === null ? {} : { needTokens: overflow.needTokens }),
      ...(overflow.windowTokens === null ? {} : { windowTokens: overflow.windowTokens }),
    });
  }
  if (refusesTools(body)) return new JobFailure('refused', 'no-tools', sentence(body), known);
  if (status === null) return new JobFailure('died', 'server-error', sentence(body), known);
  return new JobFailure(status >= 500 ? 'died' : 'refused', 'http', sentence(body), known);
}

/** The readable part of an error body: its `message` or `error` text, else the body. */
function sentence(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = field(parsed, 'error') ?? parsed;
    const text = field(error, 'message') ?? error;
    if (typeof text === 'string') return text;
  } catch {
    // Not JSON: said as it is.
  }
  return body;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
