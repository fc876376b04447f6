import { importConversation, withServer } from '../fixtures/begin';
import { conversation } from '../fixtures/conversation';
import { expect, test } from '../fixtures/test';

/** What the page may need beside the conversation that it shows. */
const GROWTH_MB = 100;

test('S11 half a million tokens are compressed while the page needs no more memory than before', async ({
  launch,
  serve,
  stored,
}) => {
  test.setTimeout(240_000);
  const server = await serve({ window: 131_072 });
  const app = await launch();
  const main = await withServer(app, server);
  const source = conversation(600, 3_400);
  const session = await importConversation(app, main, stored, source);
  const characters = source.texts.reduce((sum, text) => sum + text.length, 0);
  expect(characters / 4).toBeGreaterThan(500_000); // a token is about four of these

  const devTools = await main.page.context().newCDPSession(main.page);
  const heapMb = async () => (await devTools.send('Runtime.getHeapUsage')).usedSize / 1_048_576;
  await devTools.send('HeapProfiler.collectGarbage');
  const before = await heapMb();
  await main.compressNow();
  let most = before;
  await expect
    .poll(
      async () => {
        most = Math.max(most, await heapMb());
        return main.card.title.textContent();
      },
      { timeout: 180_000, intervals: [100] },
    )
    .toBe('Compressed');
  await devTools.send('HeapProfiler.collectGarbage');
  const after = await heapMb();
  expect(most - before).toBeLessThan(GROWTH_MB);
  expect(after - before).toBeLessThan(GROWTH_MB / 4);
  expect(stored.messages(session).map((message) => message.text)).toEqual(source.texts);
  expect(stored.summaries(session)).toHaveLength(1);
});
