import { ask } from '../fixtures/ask';
import { faults } from '../fixtures/axe';
import { importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing wrong with any state of the window, ${theme}`, async ({ launch, serve, stored }, info) => {
    const server = await serve({ countTokens: (text) => Math.ceil(text.length / 3) });
    const app = await launch();
    const { window: page } = app;
    await expect(new MainWindow(page).field).toBeVisible();
    await ask(page, 'settings.change', { theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    const look = async (state: string) => {
      await page.screenshot({ path: info.outputPath(`${state}-${theme}.png`) });
      expect.soft(await faults(page), state).toEqual([]);
    };
    await look('first-run');

    const main = await withServer(app, server);
    await look('empty');
    const source = conversation(60, 900);
    const session = await importConversation(app, main, stored, source);
    await look('conversation');
    await main.openPanel();
    await look('context');

    server.behave({ stallAfter: 60 });
    await main.compressNow();
    await expect(main.card.newestLine).not.toContainText('No line yet');
    await look('compressing');
    server.behave({});
    server.release();
    await expect(main.card.title).toHaveText('Compressed');
    await look('compressed');
    await main.meter.click();

    server.behave({ stallAfter: 5 });
    await main.send('A question whose answer takes its time.');
    await expect(main.answers.last()).toContainText('You said');
    await main.send('This one waits.');
    await expect(main.waiting).toHaveCount(1);
    await look('answering');
    await main.stopButton.click();
    await expect(main.notice('1 message waits.')).toBeVisible();
    await look('stopped');
    server.release();

    const [summary] = stored.summaries(session);
    const fold = main.fold(1, summary?.coversTo ?? 0);
    await main.scrollUpTo(fold);
    await fold.getByRole('button', { expanded: false }).press('Enter');
    await expect(fold.getByRole('button', { name: 'Roll back', exact: true })).toBeVisible();
    await look('fold');
    await fold.getByRole('button', { name: 'Roll back', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'What rolling back does' })).toContainText('next request');
    await look('roll-back');
    await page.keyboard.press('Escape');
    await fold.getByRole('button', { name: 'Edit' }).click();
    await expect(fold.getByRole('textbox')).toBeFocused();
    await look('summary-editor');
    await page.keyboard.press('Escape');
    await main.openPanel();
    await main.page.getByRole('button', { name: 'Compress a range…' }).click();
    await expect(page.getByRole('region', { name: 'Range to compress' }).getByRole('status')).toContainText(
      /tokens|Too/,
    );
    await look('range');
    await page.keyboard.press('Escape');
    await main.rollBack(fold);
    await page.getByRole('switch', { name: 'Review before commit' }).click();
    await main.compressNow('Extract, without a model');
    await page.getByRole('button', { name: 'Show it' }).click();
    await expect(main.proposal).toBeVisible();
    await look('proposal');
    await main.proposal.getByRole('button', { name: 'Reject' }).click();
    await main.meter.click();

    await page.keyboard.press('Control+,');
    for (const name of ['Providers', 'Models', 'Compression', 'Quick chat', 'Tools', 'Appearance', 'Data', 'About']) {
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
      await look(`settings-${name.toLowerCase().replace(' ', '-')}`);
    }
  });
}
