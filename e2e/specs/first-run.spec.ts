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
