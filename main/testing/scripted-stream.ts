import type http from 'node:http';
import type { Clock } from '../lib/clock';
import type { Behavior, JournalEntry } from './scripted-behavior';

/** How one wire format writes what a stream says. */
export interface Wire {
  readonly contentType: string;
  piece(text: string, thinking: boolean): string;
  /** Calls of tools, in as many pieces as the format has. */
  calls(calls: NonNullable<Behavior['calls']>): string;
  /** Everything that ends a good answer. */
  end(finish: string, pieces: number): string;
  error(body: string): string;
  readonly keepAlive: string;
}

/** Lets tests hold answers and let them go. */
export class Latch {
  #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((go) => this.#waiting.push(go));
  }
  release(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

export interface ScriptedStream {
  readonly entry: JournalEntry;
  readonly response: http.ServerResponse;
  readonly wire: Wire;
  readonly behavior: Behavior;
  readonly clock: Clock;
  readonly latch: Latch;
  readonly pieces: readonly string[];
  /** Most pieces the client allows. */
  readonly maxPieces: number;
  readonly piecesPerSecond: number;
}

/** Writes one answer at its pace, with whatever faults the behavior asks for. */
export async function writeStream(stream: ScriptedStream): Promise<void> {
  const { entry, response, wire, behavior, pieces, maxPieces } = stream;
  if (behavior.holdHeader) await held(stream);
  if (entry.aborted) return;
  response.writeHead(200, { 'content-type': wire.contentType });
  response.flushHeaders();
  if (behavior.thinking !== undefined) write(stream, wire.piece(behavior.thinking, true));
  const limit = Math.min(maxPieces, behavior.finishAfter?.pieces ?? pieces.length);
  for (let i = 0; i <= Math.min(limit, pieces.length); i++) {
    if (behavior.stallAfter === i) await held(stream);
    if (entry.aborted && !behavior.ignoreAbort) return;
    if (behavior.dieAfter === i) {
      response.socket?.destroy();
      return;
    }
    if (behavior.errorAfter?.pieces === i) {
      write(stream, wire.error(behavior.errorAfter.body));
      finish(stream);
      return;
    }
    const piece = pieces[i];
    if (i === limit || piece === undefined) break;
    write(stream, wire.piece(piece, false));
    entry.pieces++;
    if (stream.piecesPerSecond > 0) await delay(stream, 1_000 / stream.piecesPerSecond);
  }
  if (entry.aborted) return;
  const calls = mayCall(entry) ? (behavior.calls ?? []) : [];
  if (calls.length > 0) {
    write(stream, wire.calls(calls) + wire.end('tool_calls', entry.pieces));
    return finish(stream);
  }
  const reason = behavior.finishAfter?.reason ?? (entry.pieces < pieces.length ? 'length' : 'stop');
  write(stream, wire.end(reason, entry.pieces));
  finish(stream);
}

function mayCall({ body }: JournalEntry): boolean {
  const last = Array.isArray(body.messages) ? (body.messages.at(-1) as { role?: unknown }) : {};
  return Array.isArray(body.tools) && last.role !== 'tool';
}

/** Stands still until released, or until the client goes; meanwhile it may say that it lives. */
async function held(stream: ScriptedStream): Promise<void> {
  const { behavior, clock, latch, entry, response, wire } = stream;
  let stop = () => {};
  const beat = () => {
    if (response.headersSent && !entry.aborted) response.write(wire.keepAlive);
    stop = clock.after(behavior.keepAliveMs ?? 0, beat);
  };
  if (behavior.keepAliveMs !== undefined) stop = clock.after(behavior.keepAliveMs, beat);
  await (behavior.ignoreAbort ? latch.wait() : Promise.race([latch.wait(), entry.over]));
  stop();
}

function delay({ clock, entry, behavior }: ScriptedStream, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    if (behavior.ignoreAbort) return;
    void entry.over.then(() => {
      cancel();
      resolve();
    });
  });
}

function write({ entry, response }: ScriptedStream, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (entry.aborted) entry.bytesAfterAbort += bytes;
  else entry.bytes += bytes;
  response.write(text);
}

function finish({ entry, response }: ScriptedStream): void {
  entry.ended = true;
  response.end();
}
