import assert from 'node:assert/strict';
import { gain, seconds, tell } from '../account.mjs';
import { expect, goToEnd, write } from '../hands.mjs';

const WAITING =
  'Please note: the hotline of the data center is reachable under contract 77-4410, and only Marta decides.';

export async function messageWaits(stage) {
  const { main, stored, session, server, page } = stage;
  await rollBackEverything(stage);
  const chats = server.chats().length;
  const attempts = stored.attempts(session).length;

  stage.holder = await stage.parts.LeaseHolder.start(stage.profile, session);
  const epoch = await stage.holder.take();
  tell(`a second process of the product holds the compression lease now, epoch ${epoch}`);
  await write(stage, WAITING);
  await expect(main.notice('Another window is compressing.')).toContainText('Your message is saved and goes next.');
  const turn = await stage.until('the turn is deferred', () => {
    const now = stored.turn(session);
    return now?.state === 'deferred' && now;
  });
  assert.deepEqual([turn.reason.why.kind, turn.reason.why.fits], ['lease-held', false]);
  assert.equal(stored.messages(session).at(-1).text, WAITING, 'the message is saved, byte for byte');
  tell(`deferred (${turn.reason.why.kind}): the message is number ${stored.messages(session).at(-1).seq}, saved`);
  await expect(main.card.region).toContainText('Nothing was sent. Your message is saved.');
  // the card's own clock: three seconds in which something could have left
  await expect(main.card.title).toHaveText('Waiting for the other window');
  await expect(main.card.region.locator('.clock')).toHaveText(/0:0[3-9]|0:[1-5]\d/, { timeout: 30_000 });
  await expect(main.notice('Another window is compressing.')).toBeVisible();
  assert.equal(server.chats().length, chats, 'nothing left');
  tell(`the server's journal: ${server.chats().length - chats} requests since; the notice stands`);
  await stage.picture('message-waits');

  await stage.holder.letGo();
  tell('the second process lets go');
  await stage.until('the turn is completed', () => stored.turn(session)?.state === 'completed');
  await expect(main.notice('Another window is compressing.')).toHaveCount(0);
  await stage.holder.end();
  stage.holder = null;

  const mine = stored.attempts(session).filter(({ turnId }) => turnId === turn.id);
  const [done] = mine;
  assert.equal(done.outcome.kind, 'committed');
  const summary = stored.summaries(session).at(-1);
  const requests = server.chats().slice(chats);
  const left = requests.filter(({ body }) => body.messages.at(-1).content.endsWith(WAITING));
  assert.equal(left.length, 1, 'the message left once');
  assert.equal(
    stored.messages(session).filter(({ role, text }) => role === 'user' && text === WAITING).length,
    1,
    'and is stored once',
  );
  assert.ok(stored.attempts(session).length > attempts);
  tell(
    `it resumed by itself: ${done.strategy}, ${gain(summary)}, ${done.chunks} chunks, outcome ${done.outcome.kind}, ${seconds(done.endedAt - done.startedAt)}`,
  );
  tell('the message left once, byte for byte, and was answered');
  await expect(page.getByText('I was sent', { exact: false }).last()).toBeVisible();
  await goToEnd(stage);
  await stage.picture('went-by-itself');
}

/** The whole conversation is sent again, which does not fit: the next message needs a compression. */
async function rollBackEverything(stage) {
  const { main, stored, session } = stage;
  for (let left = stored.summaries(session).length; left > 0; left--) {
    const summary = stored.summaries(session).at(-1);
    const fold = main.fold(summary.coversFrom, summary.coversTo);
    if ((await fold.count()) === 0) await main.card.region.getByRole('button', { name: 'Show summary' }).click();
    const line = fold.locator('button.foldline');
    if ((await line.getAttribute('aria-expanded')) === 'false') await line.click();
    await main.rollBack(fold);
    await stage.until('it is rolled back', () => stored.summaries(session).length < left);
    tell(`rolled back: the ${summary.author === 'model' ? 'summary' : 'extract'} of messages 1 to ${summary.coversTo}`);
  }
  const line = main.transcript.getByText('Rolled back:').first();
  await expect(line).toBeAttached();
  await line.scrollIntoViewIfNeeded();
  await stage.picture('rolled-back');
}
