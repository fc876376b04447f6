import { withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { expect, test } from '../fixtures/test';
import { MainWindow } from '../pages/main-window';

/** What a kill may take of a stream. Source: design, section 4. */
const LOSS_MS = 500;
const PACE = 40;

test('S50 killed in the middle of an answer: all but its last half second is there, and nothing goes on by itself', async ({
  launch,
  serve,
  stored,
}, info) => {
  const words = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(' ');
  const server = await serve({ tokensPerSecond: PACE, reply: () => words });
  const app = await launch();
  const main = await withServer(app, server);
  await main.send('Count for me.');
  const request = await server.asked('/chat/completions');
  await expect(main.message(2)).toContainText(`word${PACE}`);
  const shown = ((await main.answers.last().textContent()) ?? '').trim().split(' ').length;
  // at this pace the server needs at least this long for so many more pieces
  const sentBefore = request.pieces;
  await expect.poll(() => request.pieces, { intervals: [10] }).toBeGreaterThan(sentBefore + (PACE * LOSS_MS) / 1_000);
  await app.kill();
  await request.over;

  const again = await launch();
  const after = new MainWindow(again.window);
  const session = stored.newestSession();
  await expect(after.message(2)).toContainText('Interrupted at');
  await expect(after.message(2).getByRole('button', { name: 'Continue' })).toBeEnabled();
  await expect(after.notice('The answer was interrupted.')).toContainText('What was written so far is kept.');
  await expect(after.stopButton).toBeHidden();
  await expect(after.field).toBeEditable();

  await after.page.screenshot({ path: info.outputPath('interrupted.png') });
  const [question, answer] = stored.messages(session);
  expect(question).toMatchObject({ role: 'user', text: 'Count for me.', status: 'complete' });
  expect(answer).toMatchObject({ role: 'assistant', status: 'partial' });
  const kept = answer?.text ?? '';
  expect(words.startsWith(kept)).toBe(true);
  expect(kept.split(' ').length).toBeGreaterThanOrEqual(shown);
  expect(stored.turn(session)?.state).toBe('interrupted');
  expect(stored.lease(session, 'turn').instanceId).toBeNull();
  expect(stored.instances()).toBe(1);
  expect(stored.integrity()).toBe('ok');
  expect(server.chats()).toHaveLength(1);

  server.setPace(0);
  await after.message(2).getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  expect(stored.messages(session)[1]?.text).toBe(kept);
  expect(server.chats()).toHaveLength(2);
});

test('P36 killed in the middle of a compression: nothing changed, nothing runs, and the message leaves by extract at a click', async ({
  begin,
  launch,
  stored,
}, info) => {
  const source = conversation(40, 900);
  const { server, app, main, session } = await begin(source);
  server.behave({ stallAfter: 30 });
  const text = 'Which step takes longest?';
  await main.send(text);
  await expect(main.card.newestLine).not.toContainText('No line yet');
  await app.kill();

  const again = await launch();
  const after = new MainWindow(again.window);
  const seq = source.texts.length + 1;
  await expect(after.message(seq)).toContainText(text);
  const notice = after.notice('The app was closed before the answer came.');
  await expect(notice).toContainText('Your message is saved.');
  await expect(after.stopButton).toBeHidden();
  await expect(after.card.title).toHaveText('Interrupted');
  await expect(after.page.getByRole('navigation', { name: 'Chats' })).not.toContainText(/\d of \d/);
  await after.page.screenshot({ path: info.outputPath('interrupted-compression.png') });
  expect(stored.messages(session).map((message) => message.text)).toEqual([...source.texts, text]);
  expect(stored.summaries(session)).toEqual([]);
  expect(stored.attempts(session)).toMatchObject([
    { phase: 'ended', outcome: { kind: 'failed', failure: 'interrupted' } },
  ]);
  expect(stored.backoff(session)).toMatchObject({ kind: 'interrupted', rung: 1 });
  expect(stored.turn(session)?.state).toBe('interrupted');
  for (const kind of ['turn', 'compression'] as const) expect(stored.lease(session, kind).instanceId).toBeNull();
  expect(stored.integrity()).toBe('ok');
  const summariesAsked = server.chats().length;
  expect(answersAsked(server)).toEqual([]);

  server.behave({});
  await expect(after.meter).toContainText('8.2k'); // the window is known again
  await notice.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  expect(stored.summaries(session)).toMatchObject([{ author: 'extract' }]);
  expect(answersAsked(server).map((messages) => messages.at(-1)?.content)).toEqual([text]);
  expect(server.chats()).toHaveLength(summariesAsked + 1);
  expect(stored.messages(session).filter((message) => message.text === text)).toHaveLength(1);
});
