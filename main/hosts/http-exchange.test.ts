import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../lib/clock';
import { startHttpServer } from '../testing/http-server';
import { ManualClock } from '../testing/manual-clock';
import { type ExchangeOptions, HttpExchange } from './process/http-exchange';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const exchange = (over: Partial<ExchangeOptions> = {}) =>
  new HttpExchange({
    signal: new AbortController().signal,
    clock: systemClock,
    key: null,
    proxy: null,
    lineBytes: 1_000,
    sendMs: 5_000,
    headerMs: 5_000,
    onSent: () => {},
    ...over,
  });

test('a server that takes the request and sends no header ends it as a TimeoutError', async () => {
  const server = await startHttpServer(() => {});
  closing.push(server.close);
  let sent = 0;
  const asked = exchange({ headerMs: 30, onSent: () => sent++ }).fetch(server.url);
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(sent).toBe(1);
  await server.journal[0]?.over;
  expect(server.journal[0]?.aborted).toBe(true);
});

test('sleep of the machine is no time of the server: the header is waited for anew', async () => {
  const server = await startHttpServer(() => {});
  closing.push(server.close);
  const clock = new ManualClock();
  const ended: unknown[] = [];
  let sent = () => {};
  const whenSent = new Promise<void>((resolve) => {
    sent = resolve;
  });
  const asked = exchange({ clock, headerMs: 30_000, onSent: sent }).fetch(server.url);
  asked.catch((error: unknown) => ended.push(error));
  await whenSent;
  clock.sleep(3_600_000, 'moves');
  await server.asked('/');
  expect(ended).toEqual([]);
  clock.advance(30_000);
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a redirect within the server is followed, with the key', async () => {
  const server = await startHttpServer((entry, response) => {
    if (entry.path === '/old') response.writeHead(308, { location: '/new' });
    response.end(entry.path);
  });
  closing.push(server.close);
  const response = await exchange({ key: 'k' }).fetch(`${server.url}/old`, { method: 'POST', body: 'x' });
  expect(await response.text()).toBe('/new');
  expect(server.journal[1]).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer k' } });
});

test('redirects that never end are given up', async () => {
  const server = await startHttpServer((_entry, response) => {
    response.writeHead(307, { location: '/again' });
    response.end();
  });
  closing.push(server.close);
  await expect(exchange().fetch(server.url)).rejects.toMatchObject({ failure: { kind: 'refused' } });
  expect(server.journal).toHaveLength(4);
});

test('a kept connection that the server closed meanwhile is not a failure: the request is sent once more', async () => {
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests++;
    // The second request of a connection finds it closed, as after a server's idle time.
    if (requests === 2) request.socket.destroy();
    else response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  closing.push(async () => server.closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await (await exchange().fetch(url)).text()).toBe('ok');
  expect(await (await exchange().fetch(url)).text()).toBe('ok');
  expect(requests).toBe(3);
});

describe('a cancelled exchange', () => {
  const cancelled = async (first: string) => {
    const server = await startHttpServer((_entry, response) => {
      response.write(first);
    });
    closing.push(server.close);
    const abort = new AbortController();
    const one = exchange({ signal: abort.signal, lineBytes: first.length });
    const reader = (await one.fetch(server.url)).body?.getReader();
    await reader?.read();
    return { abort, one, reader, server };
  };

  test('reads nothing more, and says when its socket is closed', async () => {
    const { abort, one, reader, server } = await cancelled('first\n');
    const rest = reader?.read();
    abort.abort();
    await expect(rest).rejects.toThrow();
    await one.closed;
    expect(one.lateBytes).toBe(0);
    await expect(exchange({ signal: abort.signal }).fetch(server.url)).rejects.toThrow();
  });

  test('drops what it had read ahead, instead of handing it on', async () => {
    const { abort, one, reader } = await cancelled('many words\n'.repeat(100_000));
    // two turns of the event loop: the socket is read once more, into the answer's buffer
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
    abort.abort();
    expect(await reader?.read()).toMatchObject({ done: false });
    await expect(reader?.read()).rejects.toThrow('cancelled');
    await one.closed;
    expect(one.lateBytes).toBe(0);
  });
});

describe('a proxy', () => {
  /** Answers in the place of every machine, and says for which it was asked. */
  async function startProxy() {
    const asked: string[] = [];
    const server = http.createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('from afar');
    });
    server.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    closing.push(async () => server.closeAllConnections());
    return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  test('is given the requests to other machines, over TLS as a tunnel', async () => {
    const proxy = await startProxy();
    const answer = await exchange({ proxy: proxy.address }).fetch('http://models.example/v1/models');
    expect(await answer.text()).toBe('from afar');
    await expect(exchange({ proxy: proxy.address }).fetch('https://models.example/v1/models')).rejects.toThrow();
    expect(proxy.asked).toEqual(['GET http://models.example/v1/models', 'CONNECT models.example:443']);
  });

  test('is given none to this machine', async () => {
    const proxy = await startProxy();
    const server = await startHttpServer((_entry, response) => void response.end('from here'));
    closing.push(() => server.close());
    const answer = await exchange({ proxy: proxy.address }).fetch(server.url);
    expect(await answer.text()).toBe('from here');
    expect(proxy.asked).toEqual([]);
  });
});
