import { withPracticeModel } from '../fixtures/begin';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

test('the practice model answers with what it was told, and the next start shows it again', {
  tag: '@packaged',
}, async ({ launch, stored }) => {
  const first = await launch();
  const main = await withPracticeModel(first);
  await main.send('The parcel is under the blue bench.');
  await expect(main.message(1)).toContainText('The parcel is under the blue bench.');
  await expect(main.message(2)).toContainText('The parcel is under the blue bench.');
  await expect(main.message(2).getByRole('button', { name: 'Answer again' })).toBeVisible();

  const session = stored.newestSession();
  const before = stored.messages(session);
  expect(before.map(({ role, status }) => `${role} ${status}`)).toEqual(['user complete', 'assistant complete']);
  expect(stored.turn(session)?.state).toBe('completed');
  expect(stored.lease(session, 'turn').instanceId).toBeNull();
  await first.quit();
  expect(stored.instances()).toBe(0);

  const second = new MainWindow((await launch()).window);
  await expect(second.message(1)).toContainText('The parcel is under the blue bench.');
  await expect(second.message(2)).toContainText('The parcel is under the blue bench.');
  await expect(second.field).toBeFocused();
  expect(stored.messages(session)).toEqual(before);
});
