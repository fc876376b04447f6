import { ask } from '../fixtures/ask';
import { importConversation, withPracticeModel } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { expect, test } from '../fixtures/test';

test('S34 S43 S49 a message that does not fit is sent after an extract, once, and starts at the summary', async ({
  launch,
  stored,
}) => {
  const app = await launch();
  const main = await withPracticeModel(app);
  const source = conversation(24, 700);
  const session = await importConversation(app, main, stored, source);
  const seen = await main.card.watch();
  const newest = 'Which folder holds release 4.7?  Two  spaces, a tab\tand an ümlaut stay.';
  await main.send(newest);

  await expect.poll(() => stored.turn(session)?.state, { timeout: 60_000 }).toBe('completed');
  const [summary] = stored.summaries(session);
  if (!summary) throw new Error('nothing was committed');
  expect(summary).toMatchObject({ author: 'extract', strategy: 'extract', coversFrom: 1 });
  expect(summary.tokensAfter).toBeLessThan(summary.tokensBefore);
  expect(stored.attempts(session)).toMatchObject([{ need: 'must', outcome: { kind: 'committed' } }]);
  expect(await seen.titles()).toContain('Compressed');

  // every original is where it was, and the new message is there once, as it was typed
  const messages = stored.messages(session);
  expect(messages.slice(0, -1).map((message) => message.text)).toEqual([...source.texts, newest]);
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', status: 'complete' });

  // what left starts at the summary, and ends with the new message
  const request = stored.request(session);
  const { recipe } = request;
  expect(recipe.summaries).toEqual([summary.id]);
  expect([recipe.from, recipe.to]).toEqual([summary.coversTo + 1, source.texts.length + 1]);
  expect(request.counted).toBeLessThan(summary.tokensBefore);

  // the fold stands where the covered part ends, with its receipt, and says who wrote it
  await main.card.region.getByRole('button', { name: 'Show summary' }).click();
  const fold = main.fold(1, summary.coversTo);
  await expect(fold).toContainText(`${summary.coversTo} messages`);
  await expect(fold).toContainText(/\d+ anchors, word for word/);
  await expect(fold).toContainText('extract');
  await expect(main.message(summary.coversTo)).toBeVisible();
});

test('S24 switched on again, a chat past the soft mark is compressed without a message', async ({ begin, stored }) => {
  const { main, session } = await begin(conversation(17, 900));
  const set = (automatic: 'on' | 'off') => ask(main.page, 'sessions.setAutomatic', { sessionId: session, automatic });
  await set('off');
  await set('on');
  await expect
    .poll(() => stored.attempts(session), { timeout: 15_000 })
    .toMatchObject([{ need: 'ahead', outcome: { kind: 'committed' } }]);
});

test('switched on again everywhere, nothing says any longer that it is off', async ({ begin }) => {
  const { main } = await begin(conversation(17, 900));
  await ask(main.page, 'settings.change', { automaticCompression: false });
  const off = main.notice('Automatic compression is off everywhere.');
  await off.getByRole('button', { name: 'Turn on' }).click();
  await expect(off).toBeHidden();
});

test('the card of an extract says why no model is used', { tag: '@packaged' }, async ({ launch, stored }) => {
  const app = await launch();
  const main = await withPracticeModel(app);
  const session = await importConversation(app, main, stored, conversation(24, 700));
  await main.compressNow();
  await expect(main.card.title).toHaveText('Compressed');
  await expect(main.card.region).toContainText('the practice model can only repeat, so no model was used');
  expect(stored.attempts(session)).toMatchObject([{ need: 'manual', outcome: { kind: 'committed' } }]);
});
