import { withPracticeModel, withServer } from '../fixtures/begin';
import { expect, test } from '../fixtures/test';

/** The practice model never comes to an end with this. */
const ENDLESS = 'again and again and again and again';

test('an answer of the practice model stops within a second, and what it said is kept', async ({ launch, stored }) => {
  const app = await launch();
  const main = await withPracticeModel(app);
  await main.send(ENDLESS);
  await expect(main.message(2)).toContainText('again and again');
  const session = stored.newestSession();
  const asked = Date.now();
  await main.stopButton.click();
  await expect.poll(() => stored.turn(session)?.state, { intervals: [20] }).toBe('stopped');
  expect((stored.turn(session)?.endedAt ?? 0) - asked).toBeLessThan(1_000);
  await expect(main.message(2)).toContainText('Stopped at');
  await expect(main.message(2).getByRole('button', { name: 'Continue' })).toBeEnabled();
  await expect(main.message(2).getByRole('button', { name: 'Answer again' })).toBeEnabled();
  await expect(main.stopButton).toBeHidden();
  const answer = stored.messages(session)[1];
  expect(answer?.status).toBe('partial');
  expect(answer?.text).toContain('again and again');
});

test('a stopped answer goes on where it stopped, and another can be had beside it', async ({
  launch,
  serve,
  stored,
}) => {
  const server = await serve();
  server.behave({ stallAfter: 4 });
  const app = await launch();
  const main = await withServer(app, server);
  await main.send('One two three four five six seven eight nine ten.');
  const request = await server.asked('/chat/completions');
  await expect(main.message(2)).toContainText('two');
  await main.stopButton.click();
  await request.over;
  expect(request.aborted).toBe(true);
  await expect(main.message(2)).toContainText('Stopped at');
  const session = stored.newestSession();
  const stopped = stored.messages(session)[1]?.text ?? '';

  server.behave({ text: ' – and on it goes.' });
  await main.message(2).getByRole('button', { name: 'Continue' }).click();
  await expect(main.message(3)).toContainText('and on it goes.');
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  const texts = stored.messages(session).map((message) => message.text);
  expect(texts.slice(1)).toEqual([stopped, ' – and on it goes.']);

  server.behave({ text: 'Another answer.' });
  await main.message(3).getByRole('button', { name: 'Answer again' }).click();
  await expect(main.message(2)).toContainText('Another answer.');
  await expect
    .poll(() =>
      stored
        .messages(session)
        .map((message) => message.text)
        .at(-1),
    )
    .toBe('Another answer.');
});
