import { withServer } from '../fixtures/begin';
import { answersAsked } from '../fixtures/journal';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

const WAITING = ['Second thing.', 'Third thing.', 'Fourth thing.'];

test('S44 three messages typed during an answer leave in their order after it', async ({ launch, serve, stored }) => {
  const server = await serve();
  const app = await launch();
  const main = await withServer(app, server);
  server.behave({ stallAfter: 2 });
  await main.send('First thing.');
  await expect(main.message(2)).toContainText('You said');
  server.behave({});
  for (const text of WAITING) await main.send(text);
  await expect(main.waiting).toHaveText(WAITING.map((text) => new RegExp(text)));
  await expect(main.composer).toContainText('3 waiting');
  expect(server.chats()).toHaveLength(1);

  server.release();
  const session = stored.newestSession();
  const sent = ['First thing.', ...WAITING];
  await expect
    .poll(() => stored.messages(session).map((message) => message.text))
    .toEqual(sent.flatMap((text) => [text, `You said: ${text}`]));
  await expect(main.waiting).toHaveCount(0);
  expect(answersAsked(server).map((messages) => messages.at(-1)?.content)).toEqual(sent);
  expect(stored.outbox(session)).toEqual([]);
});

test('S44 after a crash they are still there, and leave in their order after one click', async ({
  launch,
  serve,
  stored,
}) => {
  const server = await serve();
  const app = await launch();
  const main = await withServer(app, server);
  server.behave({ stallAfter: 2 });
  await main.send('First thing.');
  await expect(main.message(2)).toContainText('You said');
  for (const text of WAITING) await main.send(text);
  await expect(main.waiting).toHaveCount(3);
  // an answer of which nothing was stored yet would be asked for again
  await expect.poll(() => stored.messages(stored.newestSession()).at(-1)?.text).toContain('You said');
  await app.kill();

  server.behave({});
  const again = await launch();
  const after = new MainWindow(again.window);
  await expect(after.waiting).toHaveText(WAITING.map((text) => new RegExp(text)));
  const notice = after.notice('3 messages wait.');
  await expect(notice).toBeVisible();
  expect(server.chats()).toHaveLength(1);

  await notice.getByRole('button', { name: 'Send 3 waiting messages' }).click();
  await expect(after.waiting).toHaveCount(0);
  const session = stored.newestSession();
  await expect.poll(() => stored.messages(session).at(-1)?.text).toBe('You said: Fourth thing.');
  const asked = answersAsked(server).map((messages) => messages.at(-1)?.content);
  expect(asked).toEqual(['First thing.', ...WAITING]);
  const typed = stored.messages(session).filter((message) => message.role === 'user');
  expect(typed.map((message) => message.text)).toEqual(['First thing.', ...WAITING]);
});
