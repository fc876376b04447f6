import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JournalEntry } from './scripted-behavior';

export type Handler = (entry: JournalEntry, response: http.ServerResponse) => void | Promise<void>;

/** A real HTTP server on a free loopback port that writes a journal of what it saw. */
export async function startHttpServer(handler: Handler, port = 0) {
  const journal: JournalEntry[] = [];
  const waiting: { test: (entry: JournalEntry) => boolean; done: (entry: JournalEntry) => void }[] = [];
  const server = http.createServer(async (request, response) => {
    let text = '';
    request.setEncoding('utf8');
    try {
      for await (const part of request) text += part;
    } catch {
      return; // the client went before it had asked
    }
    const entry = newEntry(request, response, text);
    journal.push(entry);
    for (const wait of waiting.filter(({ test }) => test(entry))) {
      waiting.splice(waiting.indexOf(wait), 1);
      wait.done(entry);
    }
    await handler(entry, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    journal: journal as readonly JournalEntry[],
    /** Resolves with the next (or a past) request whose path ends so. */
    asked(path: string, after = 0): Promise<JournalEntry> {
      const test = (entry: JournalEntry) => entry.path.endsWith(path) && journal.indexOf(entry) >= after;
      const past = journal.find(test);
      return past ? Promise.resolve(past) : new Promise((done) => waiting.push({ test, done }));
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function newEntry(request: http.IncomingMessage, response: http.ServerResponse, text: string): JournalEntry {
  const entry: JournalEntry = {
    method: request.method ?? '',
    path: (request.url ?? '').split('?')[0] ?? '',
    headers: request.headers,
    body: parsed(text),
    pieces: 0,
    bytes: 0,
    aborted: false,
    bytesAfterAbort: 0,
    ended: false,
    over: new Promise((resolve) =>
      response.once('close', () => {
        if (!response.writableFinished) entry.aborted = true;
        resolve();
      }),
    ),
  };
  return entry;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export function sendJson(response: http.ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
