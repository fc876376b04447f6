import { importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { expect, test } from '../fixtures/test';

const HELD = 'Another window is compressing';
/** A request that fits waits this long for another window at the hard mark. Source: design, section 5. */
const PRESSURE_WAIT_MS = 10_000;

for (const end of ['lets go', 'is killed'] as const) {
  test(`P25 P31 a message that does not fit waits until the other window ${end}, then is compressed and sent by itself`, async ({
    launch,
    serve,
    hold,
    stored,
  }, info) => {
    const server = await serve();
    const app = await launch();
    const main = await withServer(app, server);
    const source = conversation(40, 900);
    const session = await importConversation(app, main, stored, source);
    const { lastBranch } = stored.session(session);
    const other = await hold(session);
    const epoch = await other.take();

    const text = 'Which step takes longest?';
    await main.send(text);
    await expect(main.notice(HELD)).toContainText('Your message is saved and goes next.');
    await expect(main.notice(HELD).getByRole('button', { name: 'Send now' })).toBeHidden();
    await expect(main.field).toHaveValue('');
    await expect(main.message(source.texts.length + 1)).toContainText(text);
    expect(stored.turn(session)).toMatchObject({ state: 'deferred', attempts: 0 });
    expect(stored.messages(session).map((message) => message.text)).toEqual([...source.texts, text]);
    expect(server.chats()).toHaveLength(0);
    await main.page.screenshot({ path: info.outputPath('deferred.png') });

    if (end === 'lets go') await other.letGo();
    else await other.kill();
    await expect.poll(() => stored.turn(session)?.state, { timeout: 30_000 }).toBe('completed');
    await expect(main.notice(HELD)).toBeHidden();

    // the same message, once, on the same branch, after everything that was there
    expect(stored.session(session).lastBranch).toBe(lastBranch);
    const messages = stored.messages(session);
    expect(messages.slice(0, -1).map((message) => message.text)).toEqual([...source.texts, text]);
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', status: 'complete' });
    expect(stored.lease(session, 'compression')).toMatchObject({ instanceId: null, epoch: epoch + 1 });
    expect(stored.summaries(session)).toMatchObject([{ author: 'model', coversFrom: 1 }]);
    expect(answersAsked(server).map((messages) => messages.at(-1)?.content)).toEqual([text]);
  });
}

test('P25 over the hard mark a message that fits goes out at a click, or by itself after ten seconds', async ({
  launch,
  serve,
  hold,
  stored,
}, info) => {
  // counts as the app's first estimate does, so that both say that it fits
  const server = await serve({ countTokens: (text) => Math.ceil(text.length / 3) });
  const app = await launch();
  const main = await withServer(app, server);
  const source = conversation(18, 900);
  const session = await importConversation(app, main, stored, source);
  const other = await hold(session);
  await other.take();

  await main.send('The first goes at a click.');
  await expect(main.notice(HELD)).toContainText('left');
  await main.page.screenshot({ path: info.outputPath('deferred-fits.png') });
  expect(server.chats()).toHaveLength(0);
  const clicked = performance.now();
  await main.notice(HELD).getByRole('button', { name: 'Send now' }).click();
  await server.asked('/chat/completions');
  expect(performance.now() - clicked).toBeLessThan(PRESSURE_WAIT_MS / 2);
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  await expect(main.notice(HELD)).toBeHidden();

  const before = server.journal.length;
  const sent = performance.now();
  await main.send('The second goes by itself.');
  await expect(main.notice(HELD)).toBeVisible();
  await server.asked('/chat/completions', before);
  expect(performance.now() - sent).toBeGreaterThanOrEqual(PRESSURE_WAIT_MS);
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  await expect(main.notice(HELD)).toBeHidden();

  // the lease was not touched, nothing was compressed, both messages are there once
  expect(stored.lease(session, 'compression').instanceId).not.toBeNull();
  expect(stored.summaries(session)).toEqual([]);
  expect(answersAsked(server).map((messages) => messages.at(-1)?.content)).toEqual([
    'The first goes at a click.',
    'The second goes by itself.',
  ]);
  const asked = stored
    .messages(session)
    .filter((message) => message.role === 'user')
    .map((message) => message.text);
  expect(asked.slice(-2)).toEqual(['The first goes at a click.', 'The second goes by itself.']);
});
