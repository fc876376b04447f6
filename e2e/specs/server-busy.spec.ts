import { withServer } from '../fixtures/begin';
import { expect, test } from '../fixtures/test';

const BUSY = 'The model’s server is answering another chat.';

test('S69 two chats on one busy server: the second waits and says so, both finish, neither is sent twice', async ({
  launch,
  serve,
  stored,
}, info) => {
  const server = await serve();
  const app = await launch();
  const main = await withServer(app, server);
  server.behave({ stallAfter: 2 });
  await main.send('The first question, which takes a while.');
  await expect(main.message(2)).toContainText('You said');
  const first = stored.newestSession();

  await main.page.getByRole('button', { name: 'New chat' }).first().click();
  await expect(main.transcript).toBeHidden();
  await main.send('The second question.');
  await expect(main.notice(BUSY)).toContainText('Your message is saved and goes next.');
  await main.page.screenshot({ path: info.outputPath('busy.png') });
  const second = stored.newestSession();
  expect(second).not.toBe(first);
  expect(stored.turn(second)).toMatchObject({ state: 'deferred', attempts: 0 });
  expect(server.chats()).toHaveLength(1);

  server.behave({});
  server.release();
  await expect.poll(() => [stored.turn(first)?.state, stored.turn(second)?.state]).toEqual(['completed', 'completed']);
  await expect(main.message(2)).toContainText('The second question.');
  await expect(main.notices).toHaveCount(0);
  expect(server.chats()).toHaveLength(2);
});

test('a server that asks to wait is waited for with a countdown, and asked again by itself', async ({
  launch,
  serve,
  stored,
}, info) => {
  const server = await serve();
  const app = await launch();
  const main = await withServer(app, server);
  const slowDown = { status: 429, body: '{"error":{"message":"slow down"}}', headers: { 'retry-after': '3' } };
  server.behave({ error: slowDown });
  await main.send('Is anybody there?');
  await server.asked('/chat/completions');
  server.behave({});
  await expect(main.notice('The model’s server asks to wait.')).toContainText(/0:0[123]/);
  await main.page.screenshot({ path: info.outputPath('wait.png') });
  await expect.poll(() => stored.turn(stored.newestSession())?.state).toBe('completed');
  await expect(main.message(2)).toContainText('Is anybody there?');
  expect(server.chats()).toHaveLength(2);
});
