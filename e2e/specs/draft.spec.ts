import { withPracticeModel } from '../fixtures/begin';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

const DRAFT = 'A thought that is\nnot finished yet';

test('a draft outlives a quit, however soon after the last key', async ({ launch }) => {
  const first = await launch();
  const main = await withPracticeModel(first);
  await main.field.fill(DRAFT);
  await first.quit();
  const second = await launch();
  await expect(new MainWindow(second.window).field).toHaveValue(DRAFT);
});

test('S58 a draft outlives a crash a second after the last key', async ({ launch, stored }) => {
  const first = await launch();
  const main = await withPracticeModel(first);
  await main.send('hello');
  await expect(main.message(2)).toBeVisible();
  const session = stored.newestSession();
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  await main.field.pressSequentially(DRAFT.replace('\n', ' '));
  const typed = performance.now();
  await expect.poll(() => stored.session(session).draft, { intervals: [20] }).toBe(DRAFT.replace('\n', ' '));
  expect(performance.now() - typed).toBeLessThan(1_000);
  await first.kill();
  const second = await launch();
  await expect(new MainWindow(second.window).field).toHaveValue(DRAFT.replace('\n', ' '));
});
