import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { gain, seconds, tell, thousands } from '../account.mjs';
import { conversation, ORIGIN, TITLE } from '../conversation.mjs';
import { answerFileDialog, expect, goToEnd, showWhole, wordsOf, write } from '../hands.mjs';

export async function startFresh(stage) {
  const begun = performance.now();
  await stage.launch();
  tell(`the window is there, ready to write in, after ${seconds(performance.now() - begun)}`);
  const { page } = stage;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  tell(`it says: ${await wordsOf(page.getByRole('heading', { level: 1 }))}`);
  const practice = page.getByRole('radio', { name: /Practice model, inside the app/ });
  await expect(practice).toBeVisible();
  await stage.picture('first-run');
  await practice.click();
  await page.getByRole('button', { name: /^Start with/ }).click();
  await page.getByRole('navigation', { name: 'Chats' }).waitFor();
  tell('chosen: the practice model, inside the app');
}

export async function importIt(stage) {
  const source = conversation();
  const last = source.texts.slice(-6).map((text) => text.length);
  tell(`${thousands(source.turns)} turns, ${thousands(source.characters)} characters: ${ORIGIN}`);
  assert.ok(source.turns >= 100 && source.characters >= 100_000, 'the conversation is long');
  assert.ok(Math.max(...last) < 400, 'its last six messages are short');
  const file = path.join(stage.profile, `${TITLE}.md`);
  fs.writeFileSync(file, source.markdown);
  await answerFileDialog(stage, file);
  const begun = performance.now();
  await stage.page.getByRole('button', { name: 'Import a conversation…' }).click();
  await expect(stage.page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
  stage.session = stage.stored.newestSession();
  const kept = stage.stored.messages(stage.session).map((message) => message.text);
  assert.deepEqual(kept, source.texts, 'every message is stored, word for word and in order');
  await expect(stage.main.message(kept.length)).toBeVisible();
  tell(`${kept.length} messages stored, word for word, and shown after ${seconds(performance.now() - begun)}`);
  await stage.picture('imported');
}

const NEXT =
  'What did we decide about orders before 2016, and which rule must never be broken? (two  spaces, ümlaut, 海达)';

export async function continueUntilCompressed(stage) {
  const { main, stored, session } = stage;
  const before = stored.messages(session).length;
  const card = await main.card.watch();
  await write(stage, NEXT);
  const turn = await stage.until('the answer is complete', () => {
    const now = stored.turn(session);
    return now?.endedAt && now;
  });
  assert.equal(turn.state, 'completed');
  const [attempt] = stored.attempts(session);
  const [summary] = stored.summaries(session);
  assert.equal(attempt.outcome.kind, 'committed');
  assert.equal(attempt.need, 'must');
  assert.equal(summary.author, 'extract');
  assert.ok(summary.tokensAfter < summary.tokensBefore, 'it became smaller');
  await expect(main.card.title).toHaveText('Compressed');
  await expect(main.card.region).toContainText('the practice model can only repeat, so no model was used');
  tell(`it did not fit, so it was compressed first; the card said: ${(await card.titles()).join(' > ')}`);
  tell(
    `extract: messages 1 to ${summary.coversTo}, ${gain(summary)}, ${seconds(attempt.endedAt - attempt.startedAt)}, outcome ${attempt.outcome.kind}`,
  );
  tell('the card says why no model was used: the practice model can only repeat');
  const messages = stored.messages(session);
  const asked = messages.filter(({ role, text }) => role === 'user' && text === NEXT);
  assert.equal(asked.length, 1, 'the message is there once, byte for byte');
  assert.equal(messages.length, before + 2);
  assert.equal(messages.at(-1).status, 'complete');
  tell(`the practice model repeats what it is told: ${JSON.stringify(messages.at(-1).text.slice(0, 60))}`);
  await goToEnd(stage);
  await stage.picture('compressed-by-extract');
}

export async function openFold(stage) {
  const { main, stored, session } = stage;
  const [summary] = stored.summaries(session);
  await main.card.region.getByRole('button', { name: 'Show summary' }).click();
  const fold = main.fold(1, summary.coversTo);
  await expect(fold.getByRole('heading', { name: 'Goal' })).toBeVisible();
  const headings = await fold.getByRole('heading').allInnerTexts();
  tell(`the fold holds: ${headings.join(', ')}`);
  const { kept, restored, dropped } = summary.receipt;
  await expect(fold).toContainText(`${thousands(kept + restored + dropped)} anchors`);
  tell(`receipt: ${kept} anchors kept, ${restored} restored, ${dropped} dropped`);
  assert.equal(dropped + restored + kept, summary.receipt.anchors.length);
  await showWhole(stage, fold);
  await stage.picture('fold-open');
  await fold.getByRole('button', { name: 'Anchors', exact: true }).click();
  await showWhole(stage, fold);
  await stage.picture('fold-anchors');
  await fold.getByRole('button', { name: 'Anchors', exact: true }).click();
  const source = fold.getByRole('button', { name: /^Message \d+$/ }).first();
  const seq = Number((await source.getAttribute('aria-label')).replace('Message ', ''));
  await source.click();
  const words = stored.messages(session)[seq - 1].text.split('\n')[0].slice(0, 40);
  await expect(main.message(seq)).toContainText(words);
  tell(`a click on the source of its first line leads to message ${seq}`);
  await stage.picture('source-of-a-line');
  await stage.page.getByRole('button', { name: 'Back to summary' }).click();
  await expect(fold.getByRole('heading', { name: 'Goal' })).toBeVisible();
}
