import { withServer } from '../fixtures/begin';
import { expect, test } from '../fixtures/test';

test('S70 a server that dies in mid-answer is one readable line; the text is kept, and goes on once the server is back', async ({
  launch,
  serve,
  stored,
}, info) => {
  const server = await serve();
  server.behave({ stallAfter: 4 });
  const app = await launch();
  const main = await withServer(app, server);
  await main.send('One two three four five six seven eight nine ten.');
  await expect(main.message(2)).toContainText('two');
  await server.close();

  const session = stored.newestSession();
  await expect.poll(() => stored.turn(session)?.state).toBe('failed');
  await main.page.screenshot({ path: info.outputPath('dead.png') });
  // but for what the app may find out meanwhile by asking the server itself
  const notices = main.notices.filter({ hasNotText: 'isn’t answering' });
  await expect(notices).toHaveCount(1);
  await expect(notices).toContainText('The answer broke off; what came is kept.');
  await expect(main.message(2)).toContainText('One two');
  expect(stored.messages(session)[1]).toMatchObject({ status: 'partial' });
  expect(stored.lease(session, 'turn').instanceId).toBeNull();

  const again = await serve({ port: Number(new URL(server.url).port) });
  again.behave({ text: ' – and on it goes.' });
  await main.message(2).getByRole('button', { name: 'Continue' }).click();
  await expect(main.message(3)).toContainText('and on it goes.');
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  await expect(notices).toHaveCount(0);
});
