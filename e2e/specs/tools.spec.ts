import { conversation } from '../fixtures/conversation';
import { answersAsked } from '../fixtures/journal';
import { expect, test } from '../fixtures/test';

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
