import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

test('a first start on an empty profile opens a window with a field to write in', { tag: '@packaged' }, async ({
  launch,
  profile,
}) => {
  const { window: page, electron } = await launch();
  const main = new MainWindow(page);
  await expect(main.field).toBeVisible();
  await main.field.fill('hello');
  await expect(main.field).toHaveValue('hello');
  expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect(existsSync(path.join(profile, 'logs'))).toBe(true);
});

test('the first run offers the model inside the app for what it is, and its composer works already', async ({
  launch,
}) => {
  const first = await launch();
  const main = new MainWindow(first.window);
  await expect(main.page.getByRole('heading', { level: 1 })).toBeVisible();
  const practice = main.page.getByRole('radio', { name: /Practice model, inside the app/ });
  await practice.click();
  await expect(practice).toContainText('It repeats what it is told');
  await expect(practice).toContainText('not for real work');
  await expect(main.composer.getByRole('button', { name: /^Model: Practice model/ })).toBeVisible();
  await main.send('Is this on?');
  await expect(main.message(2)).toContainText('Is this on?');
  await expect(main.page.getByRole('navigation', { name: 'Chats' })).toContainText('Is this on?');
  await expect(practice).toBeHidden();
  await first.quit();

  const second = new MainWindow((await launch()).window);
  await expect(second.message(2)).toContainText('Is this on?');
  await expect(second.page.getByRole('radio')).toHaveCount(0);
});

test('the page is shut in: no Node, no way to other pages, two functions to ask by', async ({ launch }) => {
  const { window: page } = await launch();
  await page.waitForLoadState();
  const inside = await page.evaluate(() => ({
    require: typeof Reflect.get(globalThis, 'require'),
    process: typeof Reflect.get(globalThis, 'process'),
    bridge: Object.keys(Reflect.get(globalThis, 'palimpsest')).sort(),
    opened: window.open('https://example.org/'),
  }));
  expect(inside).toEqual({
    require: 'undefined',
    process: 'undefined',
    bridge: ['request', 'subscribe'],
    opened: null,
  });
  const policy = await page.evaluate(() => fetch('/index.html').then((r) => r.headers.get('content-security-policy')));
  expect(policy).toContain("default-src 'none'");
  await page.evaluate(() => {
    location.href = 'https://example.org/';
  });
  expect(new URL(page.url()).protocol).toBe('app:');
});
