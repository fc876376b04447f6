import { createHash } from 'node:crypto';
import type http from 'node:http';
import { sendJson, startHttpServer } from './http-server';
import type { JournalEntry } from './scripted-behavior';

/** What the hub does with the next requests for its file. */
export interface HubBehavior {
  /** Answers with this status and no file. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends on to this address. */
  readonly redirect?: string;
  /** Sends the whole file, whatever part is asked for. */
  readonly ignoresRange?: boolean;
  /** Goes on from where it is asked to, whatever file is meant. */
  readonly ignoresCondition?: boolean;
  /** Its tag now; null = none. */
  readonly etag?: string | null;
  /** Other bytes than the ones it promised. */
  readonly bytes?: Buffer;
  /** Does not say how long the answer is. */
  readonly noLength?: boolean;
  /** Leaves open how long the file is where it sends a part of it. */
  readonly noTotal?: boolean;
  /** Breaks off after so many bytes of an answer. */
  readonly cutAfter?: number;
  /** Sends so many bytes of an answer and then nothing, until `release`. */
  readonly stallAfter?: number;
  /** Bytes that leave at a time, and the milliseconds between them. */
  readonly slow?: { readonly piece: number; readonly everyMs: number };
  /** What the hub says of the file; null = it does not list it. */
  readonly listed?: { readonly oid?: string; readonly size?: number } | null;
}

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A hub of models on a real socket that holds one file under every name. */
export async function startHub(file: Buffer) {
  let behavior: HubBehavior = {};
  const held = new Set<() => void>();
  const server = await startHttpServer(async (entry, response) => {
    const path = decodeURIComponent(entry.path);
    if (path.includes('/paths-info/')) list(entry, response);
    else await send(entry, response);
  });

  function list(entry: JournalEntry, response: http.ServerResponse): void {
    if (behavior.status !== undefined) return sendJson(response, behavior.status, { error: 'no' }, behavior.headers);
    const [path] = (entry.body.paths ?? []) as string[];
    if (behavior.listed === null) return sendJson(response, 200, []);
    const oid = behavior.listed?.oid ?? sha256Of(file);
    const size = behavior.listed?.size ?? file.length;
    sendJson(response, 200, [{ type: 'file', path, size, oid: 'f00', lfs: { oid, size, pointerSize: 134 } }]);
  }

  async function send(entry: JournalEntry, response: http.ServerResponse): Promise<void> {
    const { status, headers, redirect, ignoresRange = false, ignoresCondition = false, noLength = false } = behavior;
    if (redirect !== undefined) {
      response.writeHead(302, { location: redirect }).end();
      return;
    }
    if (status !== undefined) return sendJson(response, status, { error: 'no' }, headers);
    const bytes = behavior.bytes ?? file;
    const total = behavior.noTotal ? '*' : bytes.length;
    const etag = behavior.etag === undefined ? '"first"' : behavior.etag;
    const condition = entry.headers['if-range'];
    const range = /^bytes=(\d+)-$/.exec(String(entry.headers.range ?? ''));
    const means = ignoresCondition || condition === undefined || condition === etag;
    const partial = range && !ignoresRange && means;
    const from = partial ? Number(range[1]) : 0;
    if (partial && from >= bytes.length) return sendJson(response, 416, {});
    response.writeHead(partial ? 206 : 200, {
      'content-type': 'application/octet-stream',
      ...(etag === null ? {} : { etag }),
      ...(noLength ? {} : { 'content-length': bytes.length - from }),
      ...(partial ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${total}` } : {}),
    });
    await write(entry, response, bytes.subarray(from));
  }

  async function write(entry: JournalEntry, response: http.ServerResponse, bytes: Buffer): Promise<void> {
    const { cutAfter = bytes.length, stallAfter = bytes.length, slow } = behavior;
    const most = Math.min(bytes.length, cutAfter, stallAfter);
    const piece = slow?.piece ?? 64_000;
    for (let at = 0; at < most && !entry.aborted; at += piece) {
      const part = bytes.subarray(at, Math.min(most, at + piece));
      entry.bytes += part.length;
      if (!response.write(part)) await Promise.race([new Promise((done) => response.once('drain', done)), entry.over]);
      if (slow) await new Promise((done) => setTimeout(done, slow.everyMs));
    }
    if (cutAfter < bytes.length && cutAfter <= stallAfter) response.destroy();
    else if (stallAfter < bytes.length) await Promise.race([new Promise<void>((go) => held.add(go)), entry.over]);
    else response.end();
    if (stallAfter < bytes.length && !entry.aborted) response.end(bytes.subarray(stallAfter));
  }

  return {
    ...server,
    sha256: sha256Of(file),
    behave: (next: HubBehavior) => {
      behavior = next;
    },
    /** Lets go what stalls. */
    release: () => {
      for (const go of held) go();
      held.clear();
    },
    /** Requests for the file itself. */
    files: () => server.journal.filter(({ path }) => path.includes('/resolve/')),
  };
}
export type Hub = Awaited<ReturnType<typeof startHub>>;
