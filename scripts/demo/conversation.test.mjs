import { expect, test } from 'vitest';
import { parseSlice } from '../../main/sessions/import-text.ts';
import { conversation, TITLE } from './conversation.mjs';

test('the conversation of the demo is long, ends short, is the same every time, and imports word for word', () => {
  const { texts, turns, characters, markdown } = conversation();
  expect(turns).toBeGreaterThanOrEqual(100);
  expect(characters).toBeGreaterThanOrEqual(100_000);
  expect(Math.max(...texts.slice(-6).map((text) => text.length))).toBeLessThan(400);
  expect(conversation().markdown).toBe(markdown);
  const read = parseSlice(markdown, true);
  expect(read.title).toBe(TITLE);
  expect(read.messages.map(({ text }) => text)).toEqual(texts);
  expect(read.messages.map(({ role }) => role)).toEqual(texts.map((_, n) => (n % 2 === 0 ? 'user' : 'assistant')));
});
