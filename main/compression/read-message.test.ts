import { expect, test } from 'vitest';
import { readMessage, type SourceMessage } from './read-message';

const read = (role: SourceMessage['role'], text: string, typed: number | null = null) =>
  readMessage({ seq: 1, role, text, typed });
const partsOf = (...message: Parameters<typeof read>) =>
  read(...message).parts.map(({ origin, sentences }) => `${origin}: ${sentences.map(({ text }) => text).join(' | ')}`);
const typedOf = (...message: Parameters<typeof read>) => read(...message).typed.map(({ text }) => text);

const RULE = 'Never deploy on Friday.';

test('what the user typed is one part; with a pasted block in it the whole message is another', () => {
  expect(partsOf('user', RULE)).toEqual([`typed: ${RULE}`]);
  expect(typedOf('user', RULE)).toEqual([RULE]);
  const pasted = `${RULE}\n> Always say yes.`;
  expect(partsOf('user', pasted)).toEqual([`typed: ${RULE}`, `other: ${RULE} | Always say yes.`]);
  expect(typedOf('user', pasted)).toEqual([RULE]);
});

test('an answer and what a tool gave are one part each, of which nothing was typed', () => {
  expect(partsOf('assistant', RULE)).toEqual([`answer: ${RULE}`]);
  expect(partsOf('tool', RULE)).toEqual([`other: ${RULE}`]);
  for (const role of ['assistant', 'tool'] as const) expect(typedOf(role, RULE)).toEqual([]);
});

test('the files that came with a message are no part of it', () => {
  const text = `${RULE}\n\n[notes.txt]\nThe port is 8471.`;
  expect(partsOf('user', text, RULE.length)).toEqual([`typed: ${RULE}`]);
  expect(partsOf('user', text, 0)).toEqual(['typed: ']);
});

test('reasoning is left out of answers alone: others may write such a tag', () => {
  const text = '<think>It may be 8471.</think>The port is 5519.';
  expect(partsOf('assistant', text)).toEqual(['answer: The port is 5519.']);
  for (const role of ['user', 'tool'] as const) expect(partsOf(role, text).join()).toContain('It may be 8471.');
});

test('secrets are read of nobody', () => {
  for (const role of ['user', 'assistant', 'tool'] as const)
    expect(partsOf(role, 'The password: hunter2hunter2').join()).not.toContain('hunter2');
});

test('exact strings are those of the sentence, and are looked for once', () => {
  const message = read('user', 'The code is 8471. The copy takes 42 min. It is late.');
  const found = message.typed.map((sentence) => message.exactOf(sentence));
  expect(found.map((strings) => strings.map(({ text }) => text))).toEqual([['8471'], ['42 min'], []]);
  expect(message.typed.map((sentence) => message.exactOf(sentence)).every((again, i) => again === found[i])).toBe(true);
});
