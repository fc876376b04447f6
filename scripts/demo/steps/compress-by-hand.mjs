import assert from 'node:assert/strict';
import { gain, seconds, tell, thousands } from '../account.mjs';
import { closePanel, expect, wordsOf } from '../hands.mjs';

export async function compressByHand(stage) {
  const { main, stored, session, server } = stage;
  const [extract] = stored.summaries(session);
  const texts = stored.messages(session).map((message) => message.text);
  const card = await main.card.watch();
  await main.compressNow('Summarize with the model');
  await expect(main.card.title).toHaveText(/^Reading 1 of \d+$/);
  const chunks = Number((await wordsOf(main.card.title)).replace(/^Reading 1 of /, ''));
  assert.ok(chunks >= 3, `at least three chunks, not ${chunks}`);
  const running = stored.attempts(session)[0];
  tell(`attempt ${running.id} by hand, summarize: the originals under the extract are read again, in ${chunks} chunks`);
  await stage.picture('reading-first-chunk');
  await closePanel(stage);
  await expect(main.card.title).toHaveText(`Reading 3 of ${chunks}`, { timeout: 60_000 });
  await expect(main.card.newestLine.locator('.newest-lab')).not.toHaveText('Newest line');
  tell(`in the middle: ${await wordsOf(main.card.title)}; ${await wordsOf(main.card.region.locator('.facts'))}`);
  tell(`newest line: ${await wordsOf(main.card.newestLine.locator('.grow'))}`);
  await stage.picture('reading-in-the-middle');
  await expect(main.card.title).toHaveText('Compressed', { timeout: 90_000 });
  await stage.picture('compressed-by-model');

  const attempt = stored.attempts(session)[0];
  const summaries = stored.summaries(session);
  const summary = summaries.at(-1);
  assert.equal(attempt.id, running.id);
  assert.equal(attempt.outcome.kind, 'committed');
  assert.equal(attempt.chunks, chunks);
  assert.equal(summary.author, 'model');
  assert.equal(summary.strategy, 'summarize');
  assert.equal(summary.coversFrom, 1);
  assert.ok(summary.coversTo >= extract.coversTo, 'it covers what the extract covered');
  assert.ok(summary.tokensAfter < summary.tokensBefore, 'it became smaller');
  assert.deepEqual(
    stored.messages(session).map((message) => message.text),
    texts,
    'no message was touched',
  );
  assert.equal(stored.lease(session, 'compression').instanceId, null, 'the lease is free');
  tell(`the card said: ${(await card.titles()).slice(1).join(' > ')}`);
  tell(
    `summarize: messages 1 to ${summary.coversTo}, ${gain(summary)}, ${chunks} chunks, ${seconds(attempt.endedAt - attempt.startedAt)}, outcome ${attempt.outcome.kind}`,
  );
  provedByJournal(server, texts, chunks, extract.coversTo);
}

/** The journal holds what really left: the originals, and in the answers only lines that stood in them. */
function provedByJournal(server, texts, chunks, covered) {
  const chats = server.chats();
  const sent = chats.map(({ body }) => body.messages.map(({ content }) => content).join('\n')).join('\n');
  assert.ok(chats.length >= chunks, `a request for each chunk, not ${chats.length}`);
  // a place from the beginning, the middle and the end of what the extract covers
  for (const place of [0, Math.floor(covered / 2), covered - 1]) {
    const line = texts[place].split('\n')[0].slice(0, 60);
    assert.ok(sent.includes(line), `message ${place + 1} was read again: ${line}`);
  }
  const bytes = chats.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
  tell(`the server's journal: ${chats.length} requests, ${thousands(bytes)} bytes, the originals among them`);
}
