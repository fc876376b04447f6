import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask } from '../fixtures/ask';
import { chooseModel } from '../fixtures/begin';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

const FAR = 'http://models.example/v1';

/** A proxy behind which one machine answers; a request to any other is refused. */
async function startProxy(behind: string) {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://unnamed.example');
    asked.push(`${url.host} ${url.pathname}`);
    const onward = http.request(new URL(url.pathname, behind), { method: request.method, headers: request.headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { asked, port: (server.address() as AddressInfo).port, close };
}

test('other machines are reached through the system’s proxy, this one never', async ({ launch, serve, stored }) => {
  const server = await serve();
  const proxy = await startProxy(server.address);
  try {
    const app = await launch({ args: [`--proxy-server=127.0.0.1:${proxy.port}`] });
    const main = new MainWindow(app.window);
    await expect(main.field).toBeVisible();
    const far = await ask(main.page, 'providers.add', { kind: 'openai', name: 'Far', address: FAR, key: null });
    expect(far.state.kind).toBe('ready');
    await chooseModel(main, { providerId: far.id, model: far.models[0]?.model ?? '' });
    await main.send('Is anybody there?');
    await expect(main.message(1)).toBeVisible();
    const session = stored.newestSession();
    const ended = () => [stored.messages(session).length, stored.turn(session)?.state];
    await expect.poll(ended).toEqual([2, 'completed']);
    expect(proxy.asked).toContain('models.example /v1/chat/completions');

    const before = proxy.asked.length;
    const near = await ask(main.page, 'providers.add', {
      kind: 'openai',
      name: 'Near',
      address: server.address,
      key: null,
    });
    expect(near.state.kind).toBe('ready');
    await ask(main.page, 'sessions.chooseModel', {
      sessionId: session,
      model: { providerId: near.id, model: near.models[0]?.model ?? '' },
    });
    await main.send('And here?');
    await expect.poll(() => server.chats().length).toBe(2);
    await expect.poll(ended).toEqual([4, 'completed']);
    expect(proxy.asked.slice(before).filter((one) => !one.startsWith('models.example'))).toEqual([]);
  } finally {
    await proxy.close();
  }
});
