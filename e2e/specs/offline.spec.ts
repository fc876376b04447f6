import { createServer } from 'node:net';
import { ask } from '../fixtures/ask';
import { withPracticeModel, withServer } from '../fixtures/begin';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

/** An address of this machine at which nothing answers. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

test('S114 with three providers that are away one can write, read and be answered from inside the app', async ({
  launch,
  stored,
}) => {
  const app = await launch();
  const main = await withPracticeModel(app);
  const { page } = main;
  for (const name of ['One', 'Two', 'Three']) {
    const provider = await ask(page, 'providers.add', {
      kind: 'openai',
      name,
      address: await deadAddress(),
      key: null,
    });
    expect(provider.state.kind).toBe('offline');
  }
  await main.send('Is anybody there?');
  await expect(main.message(2)).toContainText('Is anybody there?');
  const session = stored.newestSession();
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');

  // a session whose own provider is away keeps what is written, and says so
  const { providers } = await ask(page, 'app.snapshot', {});
  const dead = providers.find((provider) => provider.name === 'Two');
  if (!dead) throw new Error('not listed');
  await ask(page, 'sessions.chooseModel', { sessionId: session, model: { providerId: dead.id, model: 'some-model' } });
  await expect(main.notice('Two isn’t answering.')).toBeVisible();
  await main.field.fill('Keep this.');
  await expect(main.field).toHaveValue('Keep this.');
  await main.field.press('Enter');
  await expect(main.message(3)).toContainText('Keep this.');
  await expect(main.notice('The message was not answered.')).toBeVisible();
  expect(stored.messages(session).at(-1)).toMatchObject({ role: 'user', text: 'Keep this.' });

  // another model takes it over
  await main.composer.getByRole('button', { name: /^Model:/ }).click();
  await page.getByRole('menuitemradio', { name: /Practice model/ }).click();
  await main.notice('The message was not answered.').getByRole('button', { name: 'Send again' }).click();
  await expect(main.message(4)).toContainText('Keep this.');
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  await expect(main.notices).toHaveCount(0);

  // the next start waits for none of them
  await app.quit();
  const again = new MainWindow((await launch()).window);
  await expect(again.field).toBeFocused();
  await expect(again.message(4)).toContainText('Keep this.');
  await again.send('And now?');
  await expect(again.message(5)).toContainText('And now?');
  await expect.poll(() => [stored.messages(session).length, stored.turn(session)?.state]).toEqual([6, 'completed']);
});

test('that a server is away is said as soon as it is known, and no longer than it is true', async ({
  launch,
  serve,
}) => {
  const server = await serve();
  const main = await withServer(await launch(), server);
  await main.send('Hello there');
  await expect(main.message(2)).toContainText('Hello there');
  await server.close();
  await ask(main.page, 'providers.test', { providerId: null });
  const away = main.notice('Scripted isn’t answering.');
  await expect(away).toBeVisible();
  await serve({ port: Number(new URL(server.url).port) });
  await away.getByRole('button', { name: 'Try now' }).click();
  await expect(away).toBeHidden();
});
