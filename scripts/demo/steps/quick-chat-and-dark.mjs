import assert from 'node:assert/strict';
import { tell } from '../account.mjs';
import { expect, leaveSettings, openSettings, showWhole } from '../hands.mjs';

export async function quickChatAndDark(stage) {
  const { QuickChat, startAgain, visiblePages } = stage.parts;
  const code = await startAgain(stage.profile, ['--quick']);
  assert.equal(code, 0);
  tell('a second start with --quick handed over to the first and ended with 0');
  const quick = await QuickChat.of(stage.app.electron);
  await expect(quick.field).toBeFocused();
  await quick.page.keyboard.type('Say this again: the envelope lies with Marta.');
  await quick.page.keyboard.press('Enter');
  await expect(quick.page.getByText('the envelope lies with Marta').last()).toBeVisible();
  const asked = await stage.until('the quick question is answered', () => {
    const id = stage.stored.newestSession();
    return id !== stage.session && stage.stored.turn(id)?.endedAt && stage.stored.turn(id);
  });
  assert.equal(asked.state, 'completed');
  tell('the quick chat had the keyboard at once; its question was answered in place');
  await stage.picture('quick-chat', quick.page);
  await quick.page.keyboard.press('Escape');
  await stage.until('the quick chat is hidden', async () => {
    const pages = await visiblePages(stage.app.electron);
    return pages.length === 1 && pages[0] === 'index.html';
  });
  tell('Esc hid it');

  await openSettings(stage, 'Appearance');
  await stage.page.getByRole('button', { name: /^Theme:/ }).click();
  await stage.page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(stage.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await leaveSettings(stage);
  tell('the dark theme');
  await stage.picture('main-dark');
  await stage.main.card.region.getByRole('button', { name: 'Show summary' }).click();
  const { coversFrom, coversTo } = stage.stored.summaries(stage.session).at(-1);
  const fold = stage.main.fold(coversFrom, coversTo);
  await fold.getByRole('button', { name: 'Roll back', exact: true }).waitFor();
  await showWhole(stage, fold);
  await stage.picture('fold-dark');
}
