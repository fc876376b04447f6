import type { ErrorCode, ErrorFields } from '../../shared/errors';
import { isLoopback } from '../../shared/loopback';
import { mayCarryKey } from '../hosts/process/address';
import type { Clock } from '../lib/clock';

/** Most of an answer that is read, in UTF-16 units: the largest public model lists have half of it. */
const ANSWER_MAX = 4_000_000;

export type Fetch = (input: URL, init: RequestInit) => Promise<Response>;

/** How other machines are reached: as the system's proxy settings say. Never used for this one. */
export interface Network {
  /** The proxy for that address, with its scheme; null = straight. */
  proxyOf(address: string): Promise<string | null>;
  readonly fetch: Fetch;
}

/** Why a server could not be asked. */
export class AskFailure extends Error {
  readonly kind: 'offline' | 'refused';
  readonly code: ErrorCode;
  readonly fields: ErrorFields;
  constructor(kind: 'offline' | 'refused', code: ErrorCode, fields: ErrorFields, cause?: unknown) {
    super(`${code} ${JSON.stringify(fields)}`, { cause });
    this.name = 'AskFailure';
    this.kind = kind;
    this.code = code;
    this.fields = fields;
  }
}

export interface Asking {
  readonly key: string | null;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** The global one for this machine, which goes through no proxy; the system's for others. */
  readonly fetch: Fetch;
}

/**
 * Asks a server something small and gives its JSON. A redirect is not followed. Throws AskFailure.
 */
export async function askJson(address: string, asking: Asking, body?: unknown): Promise<unknown> {
  const url = new URL(address);
  if (asking.key !== null && !mayCarryKey(url)) {
    throw new AskFailure('refused', 'insecure-address', { address: url.origin });
  }
  const abort = new AbortController();
  const disarm = asking.clock.after(asking.timeoutMs, () => abort.abort());
  try {
    const response = await asking.fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      signal: abort.signal,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(asking.key === null ? {} : { authorization: `Bearer ${asking.key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await limited(response);
    if (!response.ok) {
      throw new AskFailure('refused', 'refused-by-server', { status: response.status, message: text.slice(0, 300) });
    }
    return parsed(text, url);
  } catch (error) {
    if (error instanceof AskFailure) throw error;
    const reason = abort.signal.aborted ? 'timeout' : reasonOf(error);
    throw new AskFailure('offline', 'unreachable', { address: url.origin, reason }, error);
  } finally {
    disarm();
    abort.abort();
  }
}

/** This machine is asked straight, others as the system says. */
export function fetchFor(address: string, network: Network): Fetch {
  return isRemote(address) ? network.fetch : fetch;
}

/** Its proxy; null = straight, as always to this machine. */
export async function proxyFor(address: string, network: Network): Promise<string | null> {
  return isRemote(address) ? network.proxyOf(address).catch(() => null) : null;
}

/** True where a session's text would leave this machine. */
export function isRemote(address: string | null): boolean {
  return address !== null && !isLoopback(new URL(address));
}

async function limited(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > ANSWER_MAX)
      throw new AskFailure('refused', 'refused-by-server', { status: 200, message: 'too long' });
  }
  return text + decoder.decode();
}

function parsed(text: string, url: URL): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AskFailure('refused', 'refused-by-server', { status: 200, message: `no JSON at ${url.pathname}` }, error);
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.message.slice(0, 200) : String(error);
}
