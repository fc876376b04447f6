import { conversation } from '../fixtures/conversation';
import { expect, test } from '../fixtures/test';

/** From the moment the stream was stopped until the lease is free. Source: design, section 10. */
const FREE_MS = 200;

test('a compression that is canceled in its middle changes nothing, frees the lease at once and pays for no chunk twice', async ({
  begin,
  stored,
}) => {
  const source = conversation(70, 900);
  const { server, main, session } = await begin(source);
  const before = await main.meter.textContent();
  server.behave({ stallAfter: 0 });
  await main.compressNow();
  await expect(main.card.title).toHaveText(/^Reading 1 of/);
  await expect.poll(() => server.chats().length).toBe(1);
  server.behave({ stallAfter: 30 });
  server.release();
  await expect.poll(() => server.chats()[1]?.pieces).toBe(30);
  await expect(main.card.newestLine).not.toContainText('No line yet');
  const request = server.chats()[1];
  if (!request) throw new Error('no second chunk was asked for');

  const closed = request.over.then(() => performance.now());
  const free = expect
    .poll(() => stored.lease(session, 'compression').instanceId, { intervals: [5] })
    .toBeNull()
    .then(() => performance.now());
  await main.card.cancelButton.click();
  const [closedAt, freeAt] = await Promise.all([closed, free]);
  expect(freeAt - closedAt).toBeLessThan(FREE_MS);
  expect(request).toMatchObject({ aborted: true, bytesAfterAbort: 0 });

  await expect(main.card.title).toHaveText('Cancelled by you');
  await expect(main.card.region).toContainText('nothing was changed');
  expect(stored.attempts(session)).toMatchObject([{ outcome: { kind: 'cancelled', by: 'user' } }]);
  expect(stored.summaries(session)).toEqual([]);
  expect(stored.backoff(session)).toBeNull();
  expect(stored.messages(session).map((message) => message.text)).toEqual(source.texts);
  await expect(main.meter).toHaveText(before ?? '');

  server.behave({});
  await main.compressNow();
  await expect(main.card.title).toHaveText('Compressed');
  const prompts = server.chats().map(({ body }) => JSON.stringify(body.messages));
  expect(prompts.filter((prompt) => prompt === prompts[0])).toHaveLength(1);
  expect(prompts.filter((prompt) => prompt === prompts[1])).toHaveLength(2);
});

test('S21 a model server that dies in the middle of a summary leaves history and composer as they were', async ({
  begin,
  stored,
}) => {
  const source = conversation(70, 900);
  const { server, main, session } = await begin(source);
  server.behave({ dieAfter: 20 });
  await main.compressNow('Summarize with the model');
  await expect(main.card.region).toContainText('Nothing was changed.');
  expect(stored.summaries(session)).toEqual([]);
  expect(stored.messages(session).map((message) => message.text)).toEqual(source.texts);
  expect(stored.lease(session, 'compression').instanceId).toBeNull();
  await main.field.fill('still here');
  await expect(main.field).toHaveValue('still here');
});
