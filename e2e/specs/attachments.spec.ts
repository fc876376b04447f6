import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDocx, makePdf } from '../../main/testing/documents';
import { startOllamaServer } from '../../main/testing/ollama-server';
import { ask } from '../fixtures/ask';
import { chooseModel, importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { pickNext } from '../fixtures/pick';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-files-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Buffer): string {
  const place = path.join(folder, name);
  writeFileSync(place, content);
  return place;
}
const CODE = 'export const limit = 3; // `never` more\n';

test('S45 draft and two files survive a compression, a restart and a crash, and go with the message', async ({
  launch,
  serve,
  stored,
}) => {
  const server = await serve({ tokensPerSecond: 2_000 });
  let app = await launch();
  let main = await withServer(app, server);
  const session = await importConversation(app, main, stored, conversation(30, 900));
  await pickNext(app, [file('limits.ts', CODE), file('plan.pdf', makePdf(['Cutover on Sunday', 'Never in March']))]);
  await main.attachButton.click();
  await expect(main.files).toHaveText([/^limits\.ts.*token/, /^plan\.pdf.*token/]);
  await main.field.fill('What do these two say?');

  const isThere = async () => {
    await expect(main.files).toHaveText([/^limits\.ts/, /^plan\.pdf/]);
    await expect(main.field).toHaveValue('What do these two say?');
  };
  await main.compressNow('Extract, without a model');
  await expect(main.card.title).toHaveText('Compressed');
  await isThere();

  const again = async () => {
    app = await launch();
    main = new MainWindow(app.window);
    await main.page.getByRole('button', { name: 'Release plan', exact: true }).click();
    await isThere();
  };
  await app.quit();
  await again();
  await app.kill();
  await again();

  await main.field.press('Enter');
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  await expect(main.files).toHaveCount(0);
  const [message] = [answersAsked(server).at(-1)?.at(-1)?.content ?? ''];
  expect(message).toContain('What do these two say?\n\n[Attached file: limits.ts, ');
  expect(message).toContain(`\`\`\`ts\n${CODE}\`\`\``);
  expect(message).toContain('Cutover on Sunday\n\nNever in March');

  // the transcript names them, and shows what the model got
  const sent = main.message(61);
  await expect(sent.locator('.user')).toContainText('What do these two say?');
  await expect(sent).not.toContainText('export const');
  await sent.getByRole('button', { name: /plan\.pdf/ }).click();
  await expect(main.page.getByRole('dialog', { name: 'plan.pdf' })).toContainText('Never in March');
});

test('files come by the button and by paste, and what cannot be read is refused with the reason', async ({
  launch,
  serve,
}) => {
  const server = await serve({ tokensPerSecond: 2_000 });
  const app = await launch();
  const main = await withServer(app, server);
  const names = ['a rather long name of a file that says everything about what is in it, and more than that.md'];
  await pickNext(app, [
    file(names[0] ?? '', '# Notes\n'),
    file('letter.docx', makeDocx(['Dear neighbour', 'the fence stays'])),
    file('photo.png', Buffer.from('89504e470d0a1a0a', 'hex')),
    file('scan.pdf', makePdf([''])),
    file('empty.txt', ''),
  ]);
  await main.attachButton.click();
  await expect(main.files).toHaveCount(5);
  await main.files.filter({ hasText: 'photo.png' }).getByRole('button', { name: 'Dismiss' }).click();
  await expect(main.files).toHaveCount(4);

  const pasted = 'A line of a long log. '.repeat(1_000);
  await app.electron.evaluate(({ clipboard }, text) => clipboard.writeText(text), pasted);
  await main.field.focus();
  await main.page.keyboard.press('ControlOrMeta+V');
  await expect(main.files.filter({ hasText: /Pasted text.*token/ })).toHaveCount(1);
  await expect(main.field).toHaveValue('');
  await app.electron.evaluate(({ clipboard }) => clipboard.writeText('short'));
  await main.page.keyboard.press('ControlOrMeta+V');
  await expect(main.field).toHaveValue('short');

  await main.files.filter({ hasText: 'letter.docx' }).getByRole('button', { name: 'letter.docx', exact: true }).click();
  await expect(main.page.getByRole('dialog', { name: 'letter.docx' })).toContainText('the fence stays');
  await main.page.keyboard.press('Escape');
  await main.files.filter({ hasText: 'letter.docx' }).getByRole('button', { name: 'Remove letter.docx' }).click();
  await expect(main.files.filter({ hasText: 'letter.docx' })).toHaveCount(0);
  await main.field.press('Enter');
  await expect(main.answers).toContainText(['You said']);
  const message = answersAsked(server).at(-1)?.at(-1)?.content ?? '';
  expect(message).toContain(pasted);
});

test('a picture out of the clipboard goes to a model whose server says that it sees', async ({ launch }) => {
  const server = await startOllamaServer({ sees: true, reply: () => 'A grey square.' });
  try {
    const app = await launch();
    const main = new MainWindow(app.window);
    const added = { kind: 'ollama', name: 'Seeing', address: server.url, key: null } as const;
    const { id, models } = await ask(main.page, 'providers.add', added);
    await chooseModel(main, { providerId: id, model: models[0]?.model ?? '' });
    await main.field.evaluate(async (field) => {
      const canvas = new OffscreenCanvas(64, 64);
      canvas.getContext('2d')?.fillRect(0, 0, 64, 64);
      const pasted = new DataTransfer();
      pasted.items.add(new File([await canvas.convertToBlob()], 'image.png', { type: 'image/png' }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }));
    });
    await expect(main.files).toHaveText([/^Pasted image.*1,500 tokens$/]);
    await main.send('What is it?');
    await expect(main.answers).toHaveText(['A grey square.']);
    const asked = server.chats().at(-1)?.body.messages as { content: string; images: string[] }[] | undefined;
    const sent = asked?.[0];
    expect(sent?.content).toMatch(/^What is it\?\n\n\[Attached file: Pasted image, \d+ bytes, an image\]$/);
    expect(
      Buffer.from(sent?.images[0] ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    await main
      .message(1)
      .getByRole('button', { name: /Pasted image/ })
      .click();
    const picture = main.page.getByRole('dialog').getByRole('img');
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(64);
  } finally {
    await server.close();
  }
});
