import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../setup/places.mjs';
import { writeConversation } from './conversation.mjs';
import { cutMiddle, standsIn, standsWithSubject } from './score.mjs';

const write = (seed) => writeConversation({ root: ROOT, seed, facts: 200, compressions: 5 });
const textOf = ({ parts }) => parts.flat().map((message) => message.text);

describe('the conversation of the needle run', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(write(1)).toEqual(write(1));
    expect(textOf(write(1))).not.toEqual(textOf(write(2)));
  });

  test('holds each fact in the message that it names, and no value twice', () => {
    const conversation = write(3);
    const texts = textOf(conversation);
    expect(conversation.facts).toHaveLength(200);
    expect(new Set(conversation.facts.map((fact) => fact.value)).size).toBe(200);
    for (const fact of conversation.facts) expect(standsIn(texts[fact.at], fact.value), fact.value).toBe(true);
  });

  test('has a stretch after each compression; a third of the facts from documents; every kind and language', () => {
    const { parts, facts } = write(4);
    expect(parts).toHaveLength(6);
    expect(facts.filter((fact) => fact.passage)).toHaveLength(66);
    expect(new Set(facts.map((fact) => fact.kind)).size).toBe(9);
    expect(new Set(facts.map((fact) => fact.language)).size).toBe(4);
  });

  test('a fact that is corrected was said before, by the user', () => {
    const conversation = write(5);
    const messages = conversation.parts.flat();
    for (const fact of conversation.facts.filter((one) => one.stale !== undefined)) {
      const before = messages.slice(0, fact.at + 1).filter((message) => message.text.includes(fact.before));
      expect(before.map((message) => message.role)).toEqual(['user']);
      expect(messages[fact.at].role).toBe('user');
    }
  });

  test('its writer knows nothing of what it tests', () => {
    for (const file of fs.readdirSync(import.meta.dirname))
      expect(fs.readFileSync(path.join(import.meta.dirname, file), 'utf8')).not.toMatch(/from '[./]*\/main\//);
  });
});

test('a value counts only by itself, and with its subject only on one line', () => {
  expect(standsIn('It takes 13 days.', '3 days')).toBe(false);
  expect(standsIn('需要13天。', '13天')).toBe(true);
  expect(standsWithSubject('the backup\n13 days', { value: '13 days', about: 'nightly backup' })).toBe(false);
  expect(standsWithSubject('backup: 13 days', { value: '13 days', about: 'nightly backup' })).toBe(true);
});

test('the baseline keeps both ends within its budget', () => {
  const cut = cutMiddle(`start ${'middle '.repeat(500)}end`, 50, (text) => text.length / 4);
  expect(cut.length / 4).toBeLessThanOrEqual(51);
  expect(cut).toMatch(/^start .*…[\s\S]*end$/s);
});
