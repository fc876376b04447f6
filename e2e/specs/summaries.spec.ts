import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { expect, test } from '../fixtures/test';

test('a summary is edited where it is read, sent as edited, and the edit taken back', async ({ begin, stored }) => {
  const { server, main, session } = await begin(conversation(40, 900));
  await main.compressNow();
  await expect(main.card.title).toHaveText('Compressed');
  const [old] = stored.summaries(session);
  if (!old) throw new Error('nothing was committed');
  await main.card.region.getByRole('button', { name: 'Show summary' }).click();
  const fold = main.fold(1, old.coversTo);
  await fold.getByRole('button', { name: 'Edit' }).click();
  const field = fold.getByRole('textbox');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(old.text);
  await field.press('Control+End');
  await field.pressSequentially('\n## Constraints\n- Never call it Aurora.');
  await field.press('Control+Enter');
  await expect(fold.getByText('Never call it Aurora.')).toBeVisible();
  await expect(fold.locator('.foldline')).toContainText('edited by you');
  expect(stored.summaries(session).at(-1)).toMatchObject({ author: 'user', parentId: old.id, state: 'active' });

  await main.send('And what is it called?');
  await expect.poll(() => stored.turn(session)?.state).toBe('completed');
  expect(answersAsked(server).at(-1)?.[0]?.content).toContain('Never call it Aurora.');

  await main.scrollUpTo(fold);
  expect(await main.rollBack(fold, 'Undo my edit')).toContain('The text from before your edit is used again.');
  await expect(main.transcript.getByText(/Your text was taken back/)).toBeVisible();
  await expect(fold.getByText('Never call it Aurora.')).toBeHidden();
  expect(stored.summaries(session).filter((one) => one.state === 'active')).toMatchObject([{ id: old.id }]);
});

test('a chosen range is compressed in the middle, and rolled back to from the list after newer ones', async ({
  begin,
  stored,
}) => {
  const source = conversation(40, 900);
  const { main, session } = await begin(source);
  await main.openPanel();
  await main.page.getByRole('button', { name: 'Compress a range…' }).click();
  const bar = main.page.getByRole('region', { name: 'Range to compress' });
  await bar.getByLabel('from message').fill('22');
  await bar.getByLabel('to', { exact: true }).fill('35');
  await expect(bar.getByRole('status')).toContainText('messages 21 to 36');
  await bar.getByRole('button', { name: 'Compress', exact: true }).click();
  await expect(main.card.title).toHaveText('Compressed');
  expect(stored.summaries(session)).toMatchObject([{ coversFrom: 21, coversTo: 36 }]);

  await main.compressNow();
  const list = main.page.getByRole('region', { name: 'Summaries' }).getByRole('listitem');
  await expect(list).toHaveCount(2);
  await list.getByRole('button', { name: 'Roll back to the summary of messages 21 to 36' }).click();
  const ask = main.page.getByRole('dialog', { name: 'What rolling back does' });
  await expect(ask).toContainText('1 newer summary is no longer used.');
  await expect(ask).toContainText('The earlier summary is used again.');
  await expect(ask).toContainText('It does not fit');
  await ask.getByRole('button', { name: 'Roll back to here' }).click();
  await expect(ask).toBeHidden();
  expect(stored.summaries(session)).toMatchObject([{ coversFrom: 21, coversTo: 36 }]);

  await list.getByRole('button', { name: /^Use the summary of messages 1 to/ }).click();
  await expect.poll(() => stored.summaries(session).length).toBe(2);
  expect(stored.messages(session).map((message) => message.text)).toEqual(source.texts);
});

test('S33 every message is reached from the last to the first after five compressions', async ({ begin, stored }) => {
  const source = conversation(60, 700);
  const { main, session } = await begin(source);
  const last = source.texts.length;
  await main.openPanel();
  // each covers more: the kept turns become fewer
  for (const keep of [25, 20, 15, 10, 5]) {
    await main.keepTurns(session, keep);
    const before = stored.attempts(session).length;
    await main.compressNow('Extract, without a model');
    await expect
      .poll(() => stored.attempts(session).filter((attempt) => attempt.outcome !== null).length)
      .toBe(before + 1);
  }
  expect(stored.attempts(session).filter((attempt) => attempt.outcome?.kind === 'committed')).toHaveLength(5);
  const seen = new Map<number, string>();
  await main.transcript.hover();
  await expect(async () => {
    // one look at all rows: they move while they are asked one by one
    const rows = await main.transcript.locator('[data-seq]').evaluateAll((all) =>
      all.map((row) => ({
        seq: Number(row.getAttribute('data-seq')),
        words: row.querySelector('.prose, .user')?.textContent ?? '',
      })),
    );
    for (const { seq, words } of rows) if (words !== '') seen.set(seq, words);
    // a page that is still being read is not passed by
    if (rows.every(({ words }) => words !== '')) await main.page.mouse.wheel(0, -400);
    expect(seen.has(1) && (await main.message(1).isVisible())).toBe(true);
  }).toPass({ intervals: [50], timeout: 60_000 });
  expect([...seen.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: last }, (_, at) => at + 1));
  for (const [at, text] of source.texts.entries()) expect(seen.get(at + 1)).toContain(text.slice(0, 40));
  expect(stored.messages(session)).toHaveLength(last);
});
