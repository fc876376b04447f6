import assert from 'node:assert/strict';
import { seconds, tell } from '../account.mjs';
import { TITLE } from '../conversation.mjs';
import { expect, scrollUpTo, showWhole, wordsOf } from '../hands.mjs';

export async function startAgainWhole(stage) {
  const { stored, session } = stage;
  const before = stored.messages(session);
  const [summary] = stored.summaries(session).slice(-1);
  let begun = performance.now();
  await stage.app.quit();
  tell(`the app was quit in ${seconds(performance.now() - begun)}`);
  assert.equal(stored.instances(), 0, 'no instance is registered after a clean end');
  assert.equal(stored.integrity(), 'ok');
  begun = performance.now();
  await stage.launch();
  tell(`started again: the field is ready after ${seconds(performance.now() - begun)}`);
  const { page, main } = stage;
  await page.getByRole('navigation', { name: 'Chats' }).getByText(TITLE).first().click();
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  assert.deepEqual(stored.messages(session), before, 'every message is as it was');
  await expect(main.message(before.length)).toBeVisible();
  for (const kind of ['compression', 'turn']) assert.equal(stored.lease(session, kind).instanceId, null);
  assert.ok(
    stored.attempts(session).every(({ outcome, endedAt }) => outcome !== null && endedAt !== null),
    'no attempt is left running',
  );
  assert.ok(stored.turn(session).endedAt !== null, 'no turn is left running');
  await expect(main.stopButton).toHaveCount(0);
  await expect(main.card.cancelButton).toHaveCount(0);
  await expect(main.notices).toHaveCount(0);
  tell(`${before.length} messages as they were, nothing running, both leases free, the database is sound`);
  const fold = main.fold(summary.coversFrom, summary.coversTo);
  await scrollUpTo(stage, fold.locator('button.foldline'));
  await fold.locator('button.foldline').click();
  await expect(fold).toContainText('Roll back');
  tell(`the fold is there: ${await wordsOf(fold.locator('button.foldline'))}`);
  await showWhole(stage, fold);
  await stage.picture('after-restart');
}
