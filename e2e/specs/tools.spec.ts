import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { pickNext } from '../fixtures/pick';
import { expect, test } from '../fixtures/test';
import { ToolsPage } from '../pages/tools-page';

const QUESTION = 'Which step of release 4.3 takes 7 minutes?';

test('a model searches what is covered: its call is one line that opens, and the answer stands on the result', async ({
  begin,
  stored,
}) => {
  const { server, main, session } = await begin(conversation(40, 900));
  await main.compressNow();
  await expect(main.card.title).toHaveText('Compressed');

  server.behave({ calls: [{ name: 'recall', args: { query: 'release 4.3 minutes' } }], text: 'Let me look that up.' });
  await main.send(QUESTION);
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  const line = main.transcript.getByRole('button', { name: /Searched this chat.*release 4\.3 minutes.*done/ });
  await expect(line).toBeVisible();
  await line.click();
  await expect(main.transcript.getByRole('region', { name: 'Result' })).toContainText('release 4.3');
  const sent = answersAsked(server).at(-1) ?? [];
  expect(sent.map(({ role }) => role).slice(-3)).toEqual(['user', 'assistant', 'tool']);
  expect(sent.at(-1)?.content).toContain('Message ');
});

test('a server that refuses tools gets the passages with the question, which shows them and leads to them', async ({
  begin,
  stored,
}) => {
  const source = conversation(40, 900);
  const { server, main, session } = await begin(source);
  await main.compressNow();
  await expect(main.card.title).toHaveText('Compressed');

  server.behave({ refusesTools: true, text: 'It is the fourth.' });
  await main.send(QUESTION);
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  const recalled = main.transcript.getByRole('button', { name: /passages? recalled from this chat/ });
  await recalled.click();
  await expect(main.transcript.getByRole('list', { name: /Passages recalled/ })).toContainText('release 4.3');
  const last = answersAsked(server).at(-1)?.at(-1)?.content ?? '';
  expect(last).toContain('[Passages from earlier in this conversation');
  expect(last.endsWith(`\n\n${QUESTION}`)).toBe(true);
  const way = main.transcript.getByRole('button', { name: /^Go to message/ }).first();
  const seq = Number(await way.textContent());
  await way.click();
  await expect(main.message(seq)).toBeInViewport();
});

test('a folder is granted in the settings; a model reads a file in it, and nothing outside', async ({
  launch,
  serve,
  stored,
}, info) => {
  const notes = info.outputPath('folder', 'notes');
  mkdirSync(notes, { recursive: true });
  writeFileSync(path.join(notes, 'plan.md'), 'We move on Sunday.\n');
  writeFileSync(path.join(notes, '..', 'secret.txt'), 'Nobody may know.\n');
  symlinkSync(path.join(notes, '..', 'secret.txt'), path.join(notes, 'innocent.txt'));
  const server = await serve();
  const app = await launch();
  const main = await withServer(app, server);
  const tools = new ToolsPage(main.page);
  await tools.open();
  await pickNext(app, [notes]);
  await main.page.getByRole('button', { name: 'Add folder…' }).click();
  await expect(main.page.getByRole('list', { name: 'Folders' }).getByRole('listitem')).toContainText('notes');
  await tools.close();

  const read = (file: string) => ({ name: 'read_file', args: { path: `notes/${file}` } });
  server.behave({ calls: [read('plan.md'), read('innocent.txt')], text: 'I look.' });
  await main.send('When do we move?');
  await expect(main.message(1)).toBeVisible();
  const session = () => stored.newestSession();
  await expect.poll(() => stored.turn(session())?.state).toBe('completed');
  const results = stored.messages(session()).filter(({ role }) => role === 'tool');
  expect(results.map(({ text }) => text)).toEqual([
    '[notes/plan.md, lines 1 to 1 of 1]\nWe move on Sunday.',
    'The tool failed: notes/innocent.txt leads out of the folder notes',
  ]);
  await main.transcript.getByRole('button', { name: /Read file.*notes\/plan\.md.*done/ }).click();
  await expect(main.transcript.getByRole('region', { name: 'Result' })).toContainText('We move on Sunday.');

  // taken back, it is no longer offered
  await tools.open();
  await main.page.getByRole('button', { name: 'Take notes back' }).click();
  await expect(main.page.getByText('No folder may be read.')).toBeVisible();
  await tools.close();
  await main.send('And now?');
  await expect.poll(() => stored.messages(session()).at(-2)?.text).toContain('there is no tool named read_file');
});
