// The user's hands and eyes: what is clicked and typed, by what the user sees.
import { expect as usual } from '@playwright/test';
import { tell } from './account.mjs';

/** Playwright's own, with patience for a machine that has other things to do, in milliseconds. */
export const expect = usual.configure({ timeout: 30_000 });

/** Types a message and sends it with Enter, key by key. */
export async function write(stage, text) {
  await stage.main.field.click();
  await stage.page.keyboard.type(text);
  await stage.page.keyboard.press('Enter');
}

export async function closePanel(stage) {
  const { meter } = stage.main;
  if ((await meter.getAttribute('aria-pressed')) === 'true') await meter.click();
}

export async function openSettings(stage, page) {
  await stage.page.getByRole('button', { name: 'Settings', exact: true }).click();
  await stage.page.getByRole('button', { name: page, exact: true }).click();
}
export async function leaveSettings(stage) {
  await stage.page.getByRole('button', { name: 'Back to chats' }).click();
  await stage.main.field.waitFor();
}

/** Chooses a model in the picker under the field. */
export async function chooseModel(stage, name) {
  await stage.main.composer.getByRole('button', { name: /^Model:|^Choose a model/ }).click();
  await stage.page.getByRole('menuitemradio', { name: new RegExp(name) }).click();
  await stage.main.composer.getByRole('button', { name: new RegExp(`^Model: ${name}`) }).waitFor();
}

/** Presses a picked file into the system's dialog, which stands outside of every page. */
export async function answerFileDialog(stage, file) {
  await stage.app.electron.evaluate(({ dialog }, picked) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [picked] });
  }, file);
}

/** What a part of the window says, on one line. */
export async function wordsOf(locator) {
  return (await locator.allInnerTexts())
    .join(' ')
    .replace(/\s*\n\s*/g, ', ')
    .trim();
}

/** Goes to the end as a user does who is not there. */
export async function goToEnd(stage) {
  const button = stage.page.getByRole('button', { name: /^Go to the end/ });
  if (!(await button.isVisible())) return;
  tell('the window did not follow to the end: its button was clicked');
  await button.click();
  await button.waitFor({ state: 'hidden' });
}

/** Turns the wheel so that an opened fold is seen whole, as far as the window is high enough. */
export async function showWhole(stage, fold) {
  const [box, view] = [await fold.boundingBox(), await stage.main.transcript.boundingBox()];
  await stage.main.transcript.hover();
  await stage.page.mouse.wheel(0, Math.min(box.y - view.y - 60, box.y + box.height - view.y - view.height + 24));
  await stage.page.mouse.move(0, 0);
}

/** Turns the wheel over the transcript until the part is on the screen: far parts are not in the page. */
export async function scrollUpTo(stage, locator) {
  await stage.main.transcript.hover();
  await stage.until('it came on the screen', async () => {
    if (await locator.isVisible()) return true;
    await stage.page.mouse.wheel(0, -400);
    return false;
  });
  await locator.scrollIntoViewIfNeeded();
}
