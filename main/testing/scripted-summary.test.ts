import { expect, test } from 'vitest';
import { chunkPrompt, foldPrompt } from '../compression/prompts';
import { parseSections } from '../compression/sections';
import { asksForSummary, scriptedSummary } from './scripted-summary';

const turns = Array.from(
  { length: 40 },
  (_, i) =>
    `[${i * 2 + 1}] User:\nI want the report ${i} on port ${4_000 + i}. Never send it before 9:00! Who reads it?\n\n` +
    `[${i * 2 + 2}] Assistant:\nWe decided to keep /srv/report-${i}.txt as it is. The job ${i} is now done.`,
).join('\n\n');

test('every line of a summary stands in the prompt, under several sections, and is much shorter', () => {
  const prompt = chunkPrompt(turns, 1, 3, 600);
  expect(asksForSummary(prompt)).toBe(true);
  const text = scriptedSummary(prompt, 100_000);
  const sections = parseSections(text);
  expect(sections.length).toBeGreaterThanOrEqual(3);
  for (const { lines } of sections) for (const line of lines) expect(turns).toContain(line.text);
  expect(text.length).toBeLessThan(turns.length / 4);
  expect(scriptedSummary(prompt, 100_000)).toBe(text);
});

test('folding notes draws on the notes and on nothing of the instruction', () => {
  const notes = [1, 2].map((part) => scriptedSummary(chunkPrompt(turns, part, 2, 600), 2_000));
  const folded = parseSections(scriptedSummary(foldPrompt(null, notes, 200), 2_000));
  expect(folded.length).toBeGreaterThan(0);
  for (const { lines } of folded) for (const line of lines) expect(notes.join('\n')).toContain(line.text);
});

test('an ordinary chat is not taken for a summary', () => {
  expect(asksForSummary([{ role: 'user', content: 'Please write a summary of the meeting' }])).toBe(false);
});
