import { ask } from '../fixtures/ask';
import { importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import type { RunningApp } from '../fixtures/running-app';
import type { Stored } from '../fixtures/stored';
import { type AppFixtures, expect, test } from '../fixtures/test';

const NOTICE = 'This can’t be sent.';
/** With the kept turn before it this is more than the window of the small server leaves for a request. */
const QUESTION = `What is the first step? ${'Please be exact. '.repeat(60)}`;
const countTokens = (text: string) => Math.ceil(text.length / 3);

/** A conversation whose last turns and question cannot fit, sent. */
async function exhausted({ launch, serve, stored }: Pick<AppFixtures, 'launch' | 'serve' | 'stored'>) {
  const server = await serve({ window: 4_096, countTokens });
  const app: RunningApp = await launch();
  const main = await withServer(app, server);
  const session = await importConversation(app, main, stored, conversation(4, 8_400));
  return { server, app, main, session, send: () => main.send(QUESTION.trim()) };
}
type Begun = Awaited<ReturnType<typeof exhausted>>;

const shows = async ({ main, session }: Begun, stored: Stored) => {
  await expect.poll(() => stored.turn(session)?.state, { timeout: 30_000 }).toBe('exhausted');
  await expect(main.notice(NOTICE)).toContainText(/[\d,]+ tokens, the window of 4,096 leaves 3,072 for it/);
  return main.page.getByRole('region', { name: 'Ways on' });
};
const answered = ({ session }: Begun, stored: Stored) =>
  expect.poll(() => stored.turn(session)?.state, { timeout: 30_000 }).toBe('completed');

test('S1 what cannot fit names both numbers, and a shorter tail is a way on', async ({
  launch,
  serve,
  stored,
}, info) => {
  const begun = await exhausted({ launch, serve, stored });
  await begun.send();
  const ways = await shows(begun, stored);
  await begun.main.page.screenshot({ path: info.outputPath('exhausted.png') });
  expect(begun.server.chats()).toHaveLength(0);
  await ways.getByRole('button', { name: /Shorter tail/ }).click();
  await answered(begun, stored);
  await expect(begun.main.notice(NOTICE)).toBeHidden();
});

test('another model with a bigger window is a way on', async ({ launch, serve, stored }) => {
  const begun = await exhausted({ launch, serve, stored });
  const bigger = await serve({ window: 32_768, model: 'bigger', countTokens });
  const { main } = begun;
  await ask(main.page, 'providers.add', { kind: 'openai', name: 'Bigger', address: bigger.address, key: null });
  await begun.send();
  const ways = await shows(begun, stored);
  await ways.getByRole('button', { name: /Another model/ }).click();
  await main.page.getByRole('menuitemradio', { name: /bigger/ }).click();
  await main.notice('This fits now.').getByRole('button', { name: 'Send again' }).click();
  await answered(begun, stored);
  expect(bigger.chats().length).toBeGreaterThan(0);
});

test('unpinning is a way on', async ({ launch, serve, stored }) => {
  const begun = await exhausted({ launch, serve, stored });
  const { main, session } = begun;
  await main.keepTurns(session, 1);
  const pinned = stored.messages(session)[5];
  if (!pinned) throw new Error('no such message');
  await ask(main.page, 'pins.add', { sessionId: session, messageId: pinned.id, excerpt: null });
  await begun.send();
  const ways = await shows(begun, stored);
  await ways.getByRole('button', { name: /Unpin/ }).click();
  const pins = main.page.getByRole('region', { name: 'Pins' });
  await pins.getByRole('button', { name: /^Unpin from message/ }).click();
  await main.notice(NOTICE).getByRole('button', { name: 'Send again' }).click();
  await answered(begun, stored);
});

test('a new chat takes along the summary and the question; the old one stays as it is', async ({
  launch,
  serve,
  stored,
}, info) => {
  const begun = await exhausted({ launch, serve, stored });
  const { main, session } = begun;
  await main.compressNow('Extract, without a model');
  await expect(main.card.title).toHaveText('Compressed');
  await begun.send();
  const ways = await shows(begun, stored);
  const before = stored.messages(session);
  await ways.getByRole('button', { name: /New chat.*takes the summary/ }).click();
  await expect(main.files).toContainText(['Summary of Release plan.md']);
  await expect(main.field).toHaveValue(QUESTION.trim());
  await expect(main.field).toBeFocused();
  await main.page.screenshot({ path: info.outputPath('carried.png') });
  await main.field.press('Enter');
  await expect(main.message(2)).toBeVisible();
  const next = stored.newestSession();
  expect(next).not.toBe(session);
  await expect.poll(() => stored.turn(next)?.state, { timeout: 30_000 }).toBe('completed');
  expect(stored.messages(next)[0]?.text).toContain('release 4.');
  expect(stored.messages(session)).toEqual(before);
});
