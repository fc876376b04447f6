import { LEASE } from '../../main/compression/policy';
import { ask } from '../fixtures/ask';
import { faults } from '../fixtures/axe';
import { conversation } from '../fixtures/conversation';
import { expect, test } from '../fixtures/test';

const WATCHING = 'Watching the other window.';

test('S28 a window that stands still is watched for one lease time by Recover, then taken over; what it says when it wakes is refused', async ({
  begin,
  hold,
  stored,
}, info) => {
  const source = conversation(40, 900);
  const { main, session } = await begin(source);
  const { page } = main;
  const other = await hold(session);
  const epoch = await other.take();
  const { instanceId } = stored.lease(session, 'compression');
  other.stop();
  await expect(main.card.region).toContainText('it is at 3 of 7'); // all that it wrote is seen
  const asked = performance.now();
  await main.compressNow();
  await expect(main.card.region.getByRole('button', { name: 'Try again' })).toBeVisible();
  await main.meter.click();

  const dialog = await main.card.askRecover();
  await expect(dialog).toContainText(/Another window has held this chat’s compression since \d\d:\d\d\./);
  await expect(dialog.getByRole('listitem').first()).toContainText(`for up to ${LEASE.ttlMs / 1_000} seconds`);
  const themes = ['light', 'dark'] as const;
  const look = async (state: string) => {
    for (const theme of themes) {
      await ask(page, 'settings.change', { theme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      expect.soft(await faults(page), `${state} ${theme}`).toEqual([]);
      await page.screenshot({ path: info.outputPath(`${state}-${theme}.png`) });
    }
  };
  await look('dialog');
  await dialog.getByRole('button', { name: 'Recover' }).click();
  await expect(dialog).toBeHidden();
  await expect(main.notice(WATCHING)).toContainText(/0:\d\d left/);
  await expect(main.card.region.getByRole('button')).toHaveCount(0);
  expect(stored.lease(session, 'compression')).toMatchObject({ instanceId, epoch });
  await look('watching');

  await expect(main.card.title).toHaveText('Compressed', { timeout: LEASE.ttlMs + 20_000 });
  expect(performance.now() - asked).toBeGreaterThanOrEqual(LEASE.ttlMs);
  await expect(main.notice(WATCHING)).toBeHidden();
  expect(stored.lease(session, 'compression')).toMatchObject({ instanceId: null, epoch: epoch + 1 });
  const summaries = stored.summaries(session);
  expect(summaries).toMatchObject([{ author: 'model', coversFrom: 1 }]);
  // it is not shown as running any more, though it has not said a word of its end
  await expect(page.getByRole('navigation', { name: 'Chats' })).not.toContainText(/[Cc]ompressing/);

  other.goOn();
  await other.letGo(); // a release and an outcome that come late
  expect(stored.lease(session, 'compression')).toMatchObject({ instanceId: null, epoch: epoch + 1 });
  expect(stored.summaries(session)).toEqual(summaries);
  expect(stored.messages(session).map((message) => message.text)).toEqual(source.texts);
});

test('S28 a window that is at work goes on: Recover says so and changes nothing, and waiting can be stopped', async ({
  begin,
  hold,
  stored,
}, info) => {
  const { main, session, server } = await begin(conversation(40, 900));
  const other = await hold(session);
  await other.take();
  const held = stored.lease(session, 'compression');
  await main.compressNow();
  // the way out stands on the other window's own card as well
  await expect(main.card.region).toContainText('it is at 3 of 7');
  await main.page.screenshot({ path: info.outputPath('elsewhere.png') });
  other.stop(); // else it may be heard before the waiting is stopped
  await (await main.card.askRecover()).getByRole('button', { name: 'Recover' }).click();
  await main.notice(WATCHING).getByRole('button', { name: 'Stop waiting' }).click();
  await expect(main.notice(WATCHING)).toBeHidden();
  other.goOn();

  await (await main.card.askRecover()).getByRole('button', { name: 'Recover' }).click();
  await expect(main.notice('The other window is at work on it; nothing was changed.')).toBeVisible({
    timeout: LEASE.renewMs + 10_000,
  });
  await main.page.screenshot({ path: info.outputPath('at-work.png') });
  const { instanceId, runId, epoch } = held;
  expect(stored.lease(session, 'compression')).toMatchObject({ instanceId, runId, epoch });
  expect(stored.attempts(session)).toHaveLength(2); // the other's, and the one that found it held
  expect(server.chats()).toHaveLength(0);

  await other.letGo();
  await expect(main.notice('at work on it')).toBeHidden();
  expect(stored.attempts(session)).toHaveLength(2);
});

test('S28 a window that hangs in the middle of an answer: what is sent here goes out after one lease time, and what it says when it wakes is refused', async ({
  begin,
  hold,
  stored,
}, info) => {
  const source = conversation(6, 200);
  const { main, session, server } = await begin(source);
  const other = await hold(session);
  await other.answer();
  const notice = main.notice('Another window is answering this chat.');
  await expect(notice).toBeVisible();
  other.stop();
  await main.send('Asked in this window.');
  await expect(main.composer).toContainText('1 waiting');
  await main.page.screenshot({ path: info.outputPath('answered-elsewhere.png') });

  await expect.poll(() => server.chats().length, { timeout: LEASE.ttlMs + 20_000 }).toBe(1);
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  await expect(notice).toBeHidden();
  await expect(main.transcript).toContainText('Half of the answer');
  await main.page.screenshot({ path: info.outputPath('taken-over.png') });
  const texts = stored.messages(session).map((message) => message.text);
  const asked = ['Asked in the other window.', 'Half of the answer', 'Asked in this window.'];
  expect(texts.slice(0, -1)).toEqual([...source.texts, ...asked]);

  other.goOn();
  expect(await other.finish()).toBe(false);
  expect(stored.messages(session).map((message) => message.text)).toEqual(texts);
});
