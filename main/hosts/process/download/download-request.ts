import http from 'node:http';
import https from 'node:https';
import { isLoopback } from '../../../../shared/loopback';
import { type Clock, patiently } from '../../../lib/clock';
import { agentFor } from '../agents';

/** Hops from the hub to where the file lies: one as a rule. */
const REDIRECTS_MAX = 5;

/** Somebody wants the file to be fetched from where it must not be. */
export class BadRedirect extends Error {
  readonly address: string;
  constructor(address: string) {
    super(`redirect to ${address}`);
    this.name = 'BadRedirect';
    this.address = address;
  }
}

export class NoByteInTime extends Error {
  override readonly name = 'NoByteInTime';
}

export interface Fetching {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly patienceMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy: string | null;
}

/**
 * Asks for a file and follows redirects to other hosts, which hubs send to the servers that hold their files. No
 * credential exists that could go along; what leaves is what `headers` names. The answer has any status but a
 * redirect's; its socket is closed with it.
 */
export async function askForFile(address: string, fetching: Fetching): Promise<http.IncomingMessage> {
  let url = new URL(address);
  if (!mayBeginAt(url)) throw new BadRedirect(url.origin);
  for (let hop = 0; ; hop++) {
    const answer = await send(url, fetching);
    const { location } = answer.headers;
    const status = answer.statusCode ?? 0;
    if (status < 300 || status >= 400 || location === undefined) return answer;
    answer.destroy();
    const next = new URL(location, url);
    if (hop === REDIRECTS_MAX || !mayFollow(url, next)) throw new BadRedirect(next.origin);
    url = next;
  }
}

/** Files come over TLS, or from this machine. */
function mayBeginAt(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** Never from TLS to plain http, and on this machine only within it. */
export function mayFollow(from: URL, to: URL): boolean {
  return to.protocol === 'https:' || (from.protocol === 'http:' && mayBeginAt(to));
}

function send(url: URL, { signal, clock, patienceMs, headers, proxy }: Fetching): Promise<http.IncomingMessage> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    // a socket of its own: the last byte of the file is the last of the socket
    const agent = proxy !== null && !isLoopback(url) && agentFor(url, proxy);
    const request = client.request(url, { headers, agent });
    const stop = () => request.destroy(new DOMException('cancelled', 'AbortError'));
    const disarm = patiently(clock, patienceMs, () => request.destroy(new NoByteInTime()));
    signal.addEventListener('abort', stop, { once: true });
    request.once('close', () => {
      disarm();
      signal.removeEventListener('abort', stop);
    });
    request.once('response', (answer) => {
      disarm();
      resolve(answer);
    });
    request.once('error', reject);
    request.end();
  });
}

/** The bytes of an answer as they come. Throws NoByteInTime where none came for too long. */
export async function* bytesOf(
  answer: http.IncomingMessage,
  { clock, patienceMs }: Pick<Fetching, 'clock' | 'patienceMs'>,
): AsyncGenerator<Buffer> {
  let disarm = () => {};
  const arm = () => {
    disarm();
    disarm = patiently(clock, patienceMs, () => answer.destroy(new NoByteInTime()));
  };
  try {
    arm();
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      disarm(); // what takes its time from here on is the disk
      yield chunk;
      arm();
    }
  } finally {
    disarm();
    answer.destroy();
  }
}
