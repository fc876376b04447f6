import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Clock } from '../../../lib/clock';
import { TOOL_LIMITS } from '../../tool-protocol';
import { holdsPassword, mayCarryKey } from '../address';
import { JobFailure } from '../job-failure';
import { FlowMeter } from './flow-meter';
import { serverFault } from './server-fault';

export interface GuardedOptions {
  readonly url: URL;
  readonly token: string | null;
  readonly clock: Clock;
  /** An answer ended before its time, or was too much. `request` = the id that was asked with, where there was one. */
  readonly broke: (fault: JobFailure, request: unknown) => void;
}

/**
 * `fetch` for one tool server: the token only over TLS or to this machine, and no message larger than allowed. The SDK's
 * transport asks without following redirects, and follows them itself within the server's origin alone.
 * @throws JobFailure `password-in-address`, or `insecure-address` where the token may not go there at all.
 */
export function guardedFetch({ url, token, clock, broke }: GuardedOptions): FetchLike {
  // `fetch` refuses such an address, and says it whole
  if (holdsPassword(url)) throw new JobFailure('refused', 'http', 'password-in-address', {}, 'password-in-address');
  if (token !== null && !mayCarryKey(url))
    throw new JobFailure('refused', 'http', 'insecure-address', { address: url.origin }, 'insecure-address');
  const flow = new FlowMeter(clock);
  const lost = (reason: string) => serverFault('tool-server-lost', { address: url.origin, reason });

  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    const aborted = () => init.signal?.aborted === true;
    let answer: Response;
    try {
      answer = await fetch(input, { ...init, headers });
    } catch (error) {
      throw aborted() ? error : lost(reasonOf(error));
    }
    if (!answer.body) return answer;
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const request = init.method === 'POST' ? idIn(init.body) : undefined;
    const pieces = guarded(answer.body, new BodyMeter(isStream, flow), {
      // a stream may end before its answer only where the server has said how to go on
      ended: (resumable) => {
        if (isStream && request !== undefined && !resumable) broke(lost('it closed the connection'), request);
      },
      failed: (error) => {
        if (aborted()) return error;
        const fault = error instanceof JobFailure ? error : lost(reasonOf(error));
        broke(fault, request);
        return fault;
      },
    });
    const { status, statusText, headers: said } = answer;
    return new Response(streamOf(pieces), { status, statusText, headers: said });
  };
}

/** Counts one answer: a JSON body is one message, of a stream each event is one. */
class BodyMeter {
  readonly #isStream: boolean;
  readonly #flow: FlowMeter;
  #open = 0;
  resumable = false;

  constructor(isStream: boolean, flow: FlowMeter) {
    this.#isStream = isStream;
    this.#flow = flow;
  }

  /** What is too much, or null. */
  take(piece: Uint8Array): string | null {
    let events = 0;
    if (this.#isStream) {
      const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
      const blocks = text.split(/\r?\n\r?\n/);
      events = blocks.length - 1;
      this.#open = events === 0 ? this.#open + piece.length : (blocks.at(-1) ?? '').length;
      this.resumable ||= /(^|\n)id:/.test(text);
    } else this.#open += piece.length;
    return this.#open > TOOL_LIMITS.messageBytes ? 'message' : this.#flow.add(events, piece.length);
  }
}

interface Told {
  ended(resumable: boolean): void;
  /** Answers what the reader is told. */
  failed(error: unknown): unknown;
}

async function* guarded(
  body: ReadableStream<Uint8Array>,
  meter: BodyMeter,
  told: Told,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      const what = meter.take(piece);
      if (what !== null) throw serverFault('tool-server-flooded', { what });
      yield piece;
    }
  } catch (error) {
    throw told.failed(error);
  }
  told.ended(meter.resumable);
}

function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return();
    },
  });
}

/** The id of the one request in a body; undefined for a notification. */
function idIn(body: RequestInit['body']): unknown {
  if (typeof body !== 'string') return undefined;
  const { id } = JSON.parse(body) as { id?: unknown };
  return id;
}

/** The code of what went wrong on the network: `fetch` keeps it one level down. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}
