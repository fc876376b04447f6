import { startOllamaServer } from '../../main/testing/ollama-server';
import { ask } from '../fixtures/ask';
import { chooseModel, importConversation } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

test('S59 S65 a server that cuts in silence is found out: the answer says so, the meter jumps, the next try fits', async ({
  launch,
  stored,
}, info) => {
  // an old Ollama that gives half of what it is asked for, and cuts what is longer although it was told not to
  const server = await startOllamaServer({
    most: 4_096,
    obeysTruncate: false,
    countTokens: (text) => Math.ceil(text.length / 3),
  });
  try {
    const app = await launch();
    const main = new MainWindow(app.window);
    await expect(main.field).toBeVisible();
    const provider = await ask(main.page, 'providers.add', {
      ...{ kind: 'ollama', name: 'Old server', address: server.url, key: null },
    });
    await chooseModel(main, { providerId: provider.id, model: provider.models[0]?.model ?? '' });
    const source = conversation(16, 900);
    const session = await importConversation(app, main, stored, source);
    await expect(main.composer.locator('.meter')).toContainText('8.2k');

    const asked = source.texts.length + 1;
    await main.send('What is the first step?');
    const answer = main.message(asked + 1);
    await expect(answer).toContainText('The server cut this prompt: it read 2,050 of about');
    await expect(main.notice('This server cuts at 4,096 tokens;')).toBeVisible();
    await expect(main.composer.locator('.meter')).toContainText('4.1k');
    await main.page.screenshot({ path: info.outputPath('cut.png') });
    // what is compressed ahead of need, once nothing happens, is no part of that answer
    expect(stored.attempts(session).filter(({ need }) => need !== 'ahead')).toEqual([]);

    // once more: it is compressed first, and read whole
    await answer.getByRole('button', { name: 'Answer again' }).first().click();
    await expect.poll(() => stored.attempts(session).length, { timeout: 30_000 }).toBeGreaterThan(0);
    await expect.poll(() => stored.turn(session)?.state, { timeout: 30_000 }).toBe('completed');
    await expect(main.transcript.getByText('The server cut this prompt')).toBeHidden();
  } finally {
    await server.close();
  }
});
