import assert from 'node:assert/strict';
import { tell, thousands } from '../account.mjs';
import { chooseModel, expect, leaveSettings, openSettings, wordsOf } from '../hands.mjs';

/** Served window in tokens, as many local servers are started with. */
const WINDOW = 16_384;
/** Slow enough to watch, fast enough for a demo. A token is a word. */
const PACE = 160;

export async function addServer(stage) {
  stage.server = await stage.parts.startScriptedServer({ window: WINDOW, tokensPerSecond: PACE, reply });
  const { page, main, server } = stage;
  tell(`the scripted server listens at ${server.address}, window ${thousands(WINDOW)}, ${PACE} tokens/s`);
  await openSettings(stage, 'Providers');
  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add provider' });
  await dialog.getByLabel('Address').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(server.address);
  await dialog.getByLabel('Name').click();
  await page.keyboard.type('Scripted server');
  await stage.picture('add-provider');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  const card = page.getByRole('region', { name: 'Scripted server' });
  await expect(card).toContainText('answers');
  tell(`added by its address; the page says: ${(await wordsOf(card)).split(', ').slice(0, 3).join(', ')}`);
  await stage.picture('providers');
  await leaveSettings(stage);
  await chooseModel(stage, 'scripted');
  const chosen = stage.stored.session(stage.session).model;
  assert.equal(chosen.model, 'scripted');
  await expect(main.meter).toHaveAccessibleName(/16\.4/);
  tell('the session is switched to its model; nothing was sent for that');
  assert.equal(server.chats().length, 0);
}

/** Short, and from the prompt: what the user asked last, and how much came with it. */
function reply(messages) {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  const question = asked.split('\n\n').at(-1);
  return `I was sent ${messages.length} messages with ${thousands(characters)} characters. The last one asks:\n\n> ${question}`;
}
