import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { type Hub, startHub } from '../../main/testing/hub-server';
import { practiceModelFile } from '../../main/testing/practice-model';
import { ask } from '../fixtures/ask';
import { test as base, expect } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

/** The entry without a pin: the hub is asked what its file has to be, so that a server here can stand in for it. */
const NAME = 'Mistral 7B Instruct v0.3';
const FILE = 'Mistral-7B-Instruct-v0.3-Q4_K_M.gguf';
/** About a megabyte a second. */
const SLOW = { slow: { piece: 64_000, everyMs: 60 } };

const test = base.extend<{ readonly hub: Hub }>({
  // outlives the app that asks it
  hub: async ({ profile: _ }, use) => {
    const hub = await startHub(readFileSync(practiceModelFile()));
    await use(hub);
    hub.release();
    await hub.close();
  },
});

async function openModels(page: Page): Promise<void> {
  const main = new MainWindow(page);
  await expect(main.field).toBeVisible();
  await ask(page, 'settings.change', { firstRunDone: true });
  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('button', { name: 'Models', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Get a model' })).toBeVisible();
}
const row = (page: Page) =>
  page.getByRole('list', { name: 'Models to download' }).getByRole('listitem').filter({ hasText: NAME });
const button = (page: Page, name: string) => row(page).getByRole('button', { name });
const files = (profile: string) => {
  const folder = path.join(profile, 'models');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

test('a model is downloaded, paused, resumed, verified, used for an answer and deleted', async ({
  launch,
  hub,
  profile,
}, info) => {
  const { window: page } = await launch({ args: [`--test-hub=${hub.url}`] });
  await openModels(page);
  await expect(row(page)).toContainText('size asked before the download');
  expect(hub.journal).toHaveLength(0);
  for (const theme of ['light', 'dark'] as const) {
    await ask(page, 'settings.change', { theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await row(page).scrollIntoViewIfNeeded();
    await page.screenshot({ path: info.outputPath(`catalogue-${theme}.png`) });
  }

  hub.behave({ ...SLOW, stallAfter: 4_000_000 });
  await button(page, `Download ${NAME}`).click();
  await expect(row(page)).toContainText(/\d MB of 4.5 MB, .*\/s, 0:0\d left/);
  await expect(row(page).getByRole('progressbar')).toBeVisible();
  await page.screenshot({ path: info.outputPath('running-dark.png') });
  await ask(page, 'settings.change', { theme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.screenshot({ path: info.outputPath('running-light.png') });

  const asked = hub.files().length;
  await button(page, `Pause ${NAME}`).click();
  await expect(row(page)).toContainText('are here and stay for later.');
  expect(files(profile)).toEqual([`${FILE}.json`, `${FILE}.part`]);
  await page.screenshot({ path: info.outputPath('paused-light.png') });
  hub.behave({});
  await button(page, `Resume ${NAME}`).click();
  await expect(button(page, 'Chat with it')).toBeVisible();
  await expect(row(page).getByRole('progressbar')).toHaveCount(0);
  expect(hub.files()[asked]?.headers.range).toMatch(/^bytes=[1-9]\d*-$/);
  expect(readFileSync(path.join(profile, 'models', FILE)).equals(readFileSync(practiceModelFile()))).toBe(true);

  await button(page, 'Chat with it').click();
  const main = new MainWindow(page);
  await expect(
    main.composer.getByRole('button', { name: new RegExp(`^Model: ${FILE.replace('.gguf', '')}`) }),
  ).toBeVisible();
  await main.send('Is this on?');
  await expect(main.message(2)).toContainText(/\w/);
  await expect(main.stopButton).toBeHidden();

  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Its file of 4.5 MB is deleted from this computer');
  await page.screenshot({ path: info.outputPath('delete-light.png') });
  await dialog.getByRole('button', { name: 'Delete the file' }).click();
  await expect(button(page, `Download ${NAME}`)).toBeVisible();
  expect(files(profile)).toEqual([]);
});

test('a download that the app’s end cut short waits for its user, and then goes on', async ({
  launch,
  hub,
  profile,
}) => {
  const args = [`--test-hub=${hub.url}`];
  hub.behave({ stallAfter: 1_500_000 });
  const first = await launch({ args });
  await openModels(first.window);
  await button(first.window, `Download ${NAME}`).click();
  await expect(row(first.window)).toContainText('1.5 MB of 4.5 MB');
  await first.kill();

  hub.behave({});
  const asked = hub.journal.length;
  const { window: page } = await launch({ args });
  await openModels(page);
  await expect(row(page)).toContainText('Paused. 1.5 MB of 4.5 MB are here');
  expect(hub.journal).toHaveLength(asked);
  await button(page, `Resume ${NAME}`).click();
  await expect(button(page, 'Chat with it')).toBeVisible();
  await expect(row(page).getByRole('progressbar')).toHaveCount(0);
  expect(files(profile)).toEqual([FILE, `${FILE}.json`]);
});

test('a cancel asks, names what is lost, and leaves nothing; a failure says why and can be tried again', async ({
  launch,
  hub,
  profile,
}, info) => {
  const { window: page } = await launch({ args: [`--test-hub=${hub.url}`] });
  await openModels(page);
  hub.behave({ stallAfter: 1_500_000 });
  await button(page, `Download ${NAME}`).click();
  await expect(row(page)).toContainText('1.5 MB of 4.5 MB');
  await button(page, `Cancel ${NAME}`).click();
  await expect(page.getByRole('dialog')).toContainText('1.5 MB that have arrived are deleted.');
  await page.getByRole('button', { name: 'Cancel the download' }).click();
  await expect(button(page, `Download ${NAME}`)).toBeVisible();
  expect(files(profile)).toEqual([]);

  hub.behave({ status: 403 });
  await button(page, `Download ${NAME}`).click();
  await expect(row(page)).toContainText('The hub refuses this file (status 403).');
  await page.screenshot({ path: info.outputPath('failed-light.png') });
  hub.behave({ status: 503 });
  await button(page, `Try ${NAME} again`).click();
  await expect(row(page)).toContainText(/The server is busy \(status 503\)\. Next try in 0:0\d/);
  await page.screenshot({ path: info.outputPath('waiting-light.png') });
  hub.behave({});
  await expect(button(page, 'Chat with it')).toBeVisible();
});

test('the first run offers a download where there is no model', async ({ launch, hub }, info) => {
  const { window: page } = await launch({ args: [`--test-hub=${hub.url}`] });
  const offer = page.getByRole('radio', { name: /Download a model/ });
  await offer.click();
  await expect(row(page)).toBeVisible();
  await page.screenshot({ path: info.outputPath('first-run-light.png') });
  await ask(page, 'settings.change', { theme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.screenshot({ path: info.outputPath('first-run-dark.png') });
  await button(page, `Download ${NAME}`).click();
  await expect(page.getByRole('button', { name: `Start with ${FILE.replace('.gguf', '')}` })).toBeVisible();
  await expect(offer).toBeHidden();
});
