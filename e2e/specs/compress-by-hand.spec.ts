import { importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { expect, test } from '../fixtures/test';

test('S49 S75 compression by hand reads in chunks, shows each, folds, and the next request starts at the summary', async ({
  launch,
  serve,
  stored,
}) => {
  const server = await serve({ tokensPerSecond: 400 });
  const app = await launch();
  const main = await withServer(app, server);
  const source = conversation(70, 900);
  const session = await importConversation(app, main, stored, source);
  const seen = await main.card.watch();
  server.behave({ stallAfter: 0 });
  await main.compressNow();

  // each chunk is shown while it is read, and goes on when the test has seen it
  await expect(main.card.title).toHaveText(/^Reading 1 of \d+$/);
  const parts = Number((await main.card.title.textContent())?.split(' ').at(-1));
  expect(parts).toBeGreaterThanOrEqual(3);
  for (let part = 1; part <= parts; part++) {
    await expect(main.card.title).toHaveText(`Reading ${part} of ${parts}`);
    await expect.poll(() => server.chats().length).toBe(part);
    server.release();
  }
  await expect(main.card.title).toHaveText('Writing');
  await expect(main.card.region).toContainText(`from the notes of ${parts} parts`);
  await expect.poll(() => server.chats().length).toBe(parts + 1);
  server.release();
  await expect(main.card.title).toHaveText('Compressed');
  const phases = (await seen.titles()).filter((title) => !title.startsWith('Connecting'));
  const first = phases.indexOf(`Reading 1 of ${parts}`);
  expect(phases.slice(first, first + parts + 1)).toEqual([
    ...Array.from({ length: parts }, (_, index) => `Reading ${index + 1} of ${parts}`),
    'Writing',
  ]);
  expect(new Set(await seen.newestLines()).size).toBeGreaterThan(3);
  expect(server.chats()).toHaveLength(parts + 1);

  const [summary] = stored.summaries(session);
  if (!summary) throw new Error('nothing was committed');
  expect(summary).toMatchObject({ author: 'model', strategy: 'summarize', coversFrom: 1 });
  expect(stored.messages(session).map((message) => message.text)).toEqual(source.texts);
  expect(stored.lease(session, 'compression').instanceId).toBeNull();

  await expect(main.meter).toHaveText(/^≈ /); // S75: nobody has counted what is left
  server.behave({});
  const newest = 'And  how long   does it take?\n\n  (answer in minutes)';
  await main.send(newest);
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  await expect(main.meter).toHaveText(/^\d/);
  const sent = answersAsked(server).at(-1) ?? [];
  expect(sent[0]?.content).toContain(`[Summary of messages 1 to ${summary.coversTo} of this conversation`);
  expect(sent[0]?.content).toContain(summary.text);
  expect(sent.at(-1)).toEqual({ role: 'user', content: newest });
  expect(JSON.stringify(sent)).not.toContain(source.texts[10]);
});

test('a fold is rolled back and put back, and never hides an original', async ({ begin, stored }) => {
  const source = conversation(40, 900);
  const { main, session } = await begin(source);
  await main.compressNow();
  await expect(main.card.title).toHaveText('Compressed');
  const [summary] = stored.summaries(session);
  if (!summary) throw new Error('nothing was committed');
  const folded = await main.meter.textContent();

  await main.card.region.getByRole('button', { name: 'Show summary' }).click();
  const fold = main.fold(1, summary.coversTo);
  await expect(fold).toContainText(`${summary.coversTo} messages`);
  await expect(fold).toContainText(/\d+ of \d+ anchors kept/);
  expect(await main.rollBack(fold)).toContain(`${summary.coversTo} messages are sent whole again.`);
  await expect(fold).toBeHidden();
  const undone = main.transcript.getByRole('status').filter({ hasText: 'Rolled back' });
  await expect(undone).toContainText(`${summary.coversTo} messages are sent whole again`);
  expect(stored.summaries(session)).toEqual([]);
  await expect(main.meter).not.toHaveText(folded ?? '');

  await undone.getByRole('button', { name: 'Undo' }).click();
  await expect(fold).toBeVisible();
  expect(stored.summaries(session)).toMatchObject([{ id: summary.id, state: 'active' }]);
  await expect(main.meter).toHaveText(folded ?? '');
  expect(stored.messages(session).map((message) => message.text)).toEqual(source.texts);
});
