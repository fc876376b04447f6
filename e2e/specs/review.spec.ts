import { importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

test('a summary waits for its review, also over a restart, and is used once it is accepted', async ({
  launch,
  serve,
  stored,
}) => {
  const server = await serve();
  const first = await launch();
  const before = await withServer(first, server);
  const source = conversation(40, 900);
  const session = await importConversation(first, before, stored, source);
  await before.openPanel();
  await before.page.getByRole('switch', { name: 'Review before commit' }).click();
  await before.compressNow();
  await expect(before.proposal).toBeVisible();
  await expect(before.notice('A summary waits for your review.')).toBeVisible();
  expect(stored.summaries(session)).toEqual([]);
  expect(stored.lease(session, 'compression').instanceId).toBeNull();
  await first.quit();

  const app = await launch();
  const main = new MainWindow(app.window);
  await expect(main.proposal).toBeVisible();
  await main.proposal.getByRole('button', { name: 'Edit' }).click();
  const field = main.proposal.getByRole('textbox');
  await field.press('Control+End');
  await field.pressSequentially('\n## Constraints\n- Never call it Aurora.');
  await field.press('Control+Enter');
  await expect(main.proposal.getByText('Never call it Aurora.')).toBeVisible();
  const asked = server.chats().length;
  await main.proposal.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(main.card.title).toHaveText('Compressed');
  await expect(main.proposal).toBeHidden();
  expect(server.chats()).toHaveLength(asked);
  expect(stored.summaries(session)).toMatchObject([{ author: 'user', state: 'active' }]);
  expect(stored.attempts(session)[0]).toMatchObject({ trigger: 'accept', outcome: { kind: 'committed' } });

  await main.send('And what is it called?');
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  expect(answersAsked(server).at(-1)?.[0]?.content).toContain('Never call it Aurora.');
  expect(
    stored
      .messages(session)
      .slice(0, source.texts.length)
      .map((message) => message.text),
  ).toEqual(source.texts);
});
