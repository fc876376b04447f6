import { importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { expect, test } from '../fixtures/test';

test('a summary is edited where it is read, sent as edited, and the edit taken back', async ({
  launch,
  serve,
  stored,
}) => {
  const server = await serve();
  const app = await launch();
  const main = await withServer(app, server);
  const session = await importConversation(app, main, stored, conversation(40, 900));
  await main.compressNow();
  await expect(main.card.title).toHaveText('Compressed');
  const [old] = stored.summaries(session);
  if (!old) throw new Error('nothing was committed');
  await main.card.region.getByRole('button', { name: 'Show summary' }).click();
  const fold = main.fold(1, old.coversTo);
  await fold.getByRole('button', { name: 'Edit' }).click();
  const field = fold.getByRole('textbox');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(old.text);
  await field.press('Control+End');
  await field.pressSequentially('\n## Constraints\n- Never call it Aurora.');
  await field.press('Control+Enter');
  await expect(fold.getByText('Never call it Aurora.')).toBeVisible();
  await expect(fold.locator('.foldline')).toContainText('edited by you');
  expect(stored.summaries(session).at(-1)).toMatchObject({ author: 'user', parentId: old.id, state: 'active' });

  await main.send('And what is it called?');
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  expect(answersAsked(server).at(-1)?.[0]?.content).toContain('Never call it Aurora.');

  await main.scrollUpTo(fold);
  expect(await main.rollBack(fold, 'Undo my edit')).toContain('The text from before your edit is used again.');
  await expect(main.transcript.getByText(/Your text was taken back/)).toBeVisible();
  await expect(fold.getByText('Never call it Aurora.')).toBeHidden();
  expect(stored.summaries(session).filter((one) => one.state === 'active')).toMatchObject([{ id: old.id }]);
});
