import { startOllamaServer } from '../../main/testing/ollama-server';
import { ask } from '../fixtures/ask';
import { chooseModel } from '../fixtures/begin';
import { test as base, expect } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

const test = base.extend<{ readonly ollama: Awaited<ReturnType<typeof startOllamaServer>> }>({
  ollama: async ({ profile: _ }, use) => {
    const server = await startOllamaServer({ trained: 131_072 });
    await use(server);
    await server.close();
  },
});

test('a window is raised where its source is shown, with the memory that it takes, and requests ask for it', async ({
  launch,
  ollama,
}, info) => {
  const { window: page } = await launch();
  await expect(new MainWindow(page).field).toBeVisible();
  const provider = await ask(page, 'providers.add', {
    kind: 'ollama',
    name: 'Ollama',
    address: ollama.address,
    key: null,
  });
  const model = provider.models[0]?.model ?? '';
  const main = await chooseModel(new MainWindow(page), { providerId: provider.id, model });
  await main.openPanel();
  const panel = page.getByRole('complementary', { name: 'Context' });
  await expect(panel).toContainText('of 8,192 tokens');
  await expect(panel).toContainText('The model could take 131,072.');
  await panel.getByRole('button', { name: 'Raise it…' }).click();
  const dialog = page.getByRole('dialog');
  const choice = dialog.getByRole('radio', { name: /^32,768 tokens/ });
  await expect(choice).toContainText(/about \d+\.\d GB/);
  for (const theme of ['light', 'dark'] as const) {
    await ask(page, 'settings.change', { theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await page.screenshot({ path: info.outputPath(`raise-${theme}.png`) });
  }
  await choice.click();
  await dialog.getByRole('button', { name: 'Use this window' }).click();
  await expect(panel).toContainText('of 32,768 tokens');
  await page.screenshot({ path: info.outputPath('raised-dark.png') });
  await main.send('How large is it now?');
  await expect(main.message(2)).toContainText('How large is it now?');
  const request = ollama.journal.filter((entry) => entry.path === '/api/chat').at(-1);
  expect(request?.body).toMatchObject({ options: { num_ctx: 32_768 }, keep_alive: 600 });
});
