import { ask } from '../fixtures/ask';
import { importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { expect, test } from '../fixtures/test';

test('I6 a pinned message and a pinned passage stay word for word when they are covered, and leave when unpinned', async ({
  launch,
  serve,
  stored,
}) => {
  const server = await serve({ tokensPerSecond: 2_000 });
  const app = await launch();
  const main = await withServer(app, server);
  const source = conversation(60, 900);
  const session = await importConversation(app, main, stored, source);
  await main.openPanel();
  const pins = main.page.getByRole('region', { name: 'Pins' });
  await expect(pins).toContainText('stays word for word');

  const answered = async (text: string) => {
    const count = stored.messages(session).length;
    await main.send(text);
    await expect
      .poll(() => [stored.messages(session).length, stored.turn(session)?.state])
      .toEqual([count + 2, 'completed']);
  };

  // a whole message by its button, a passage by selecting it
  const answer = main.message(120);
  await answer.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(answer).toContainText('Pinned');
  await main.select(119, 'release 4.60');
  await main.page.getByRole('button', { name: 'Pin selection' }).click();
  await expect(main.message(119)).toContainText('Passage pinned');
  await expect(pins.getByRole('listitem')).toHaveText([/^release 4.60.*in place$/, /^We decided.*in place$/]);
  await answered('One more?');
  const plain = answersAsked(server).at(-1) ?? [];
  expect(JSON.stringify(plain)).not.toContain('Pinned by the user');

  // covered: both are sent apart, word for word, before the summary
  await ask(main.page, 'sessions.setAutomatic', { sessionId: session, automatic: 'off' });
  for (let turn = 0; turn < 2; turn++) {
    await answered(`And then? ${'words '.repeat(400)}`);
  }
  await main.compressNow('Extract, without a model');
  await expect(main.card.title).toHaveText('Compressed');
  await expect(pins.getByRole('listitem')).toHaveText([/^release 4.60\D*\d+$/, /^We decided.*\d+$/]);
  await answered('What was pinned?');
  const [first] = answersAsked(server).at(-1) ?? [];
  expect(first?.role).toBe('user');
  expect(first?.content).toContain(`[Message 120, by the assistant]\n${source.texts[119]}\n`);
  expect(first?.content).toContain('[From message 119, by the user]\nrelease 4.60\n');
  expect(first?.content.indexOf('[Summary of messages')).toBeGreaterThan(
    first?.content.indexOf(source.texts[119] ?? '') ?? 0,
  );

  await pins.getByRole('button', { name: 'Unpin from message 120' }).click();
  await expect(main.page.getByText('Unpinned. The next request re-reads the whole prompt.')).toBeVisible();
  await expect(pins.getByRole('listitem')).toHaveCount(1);
  await main.page.getByRole('button', { name: 'Undo' }).click();
  await expect(pins.getByRole('listitem')).toHaveCount(2);
  await pins.getByRole('button', { name: /^Go to message 120/ }).click();
  await main.message(120).getByRole('button', { name: 'Unpin', exact: true }).click();
  await expect(pins.getByRole('listitem')).toHaveCount(1);
});
