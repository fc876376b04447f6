import { describe, expect, test } from 'vitest';
import { parseSlice } from './import-text';
import { titleFrom } from './title';

describe('import', () => {
  test('reads headings, bold names and names with a colon, in several languages', () => {
    const forms = [
      '## User\n\nhi\n\n## Assistant\n\nho',
      '**You:** hi\n**ChatGPT:** ho',
      'User: hi\nAssistant: ho',
      '**Benutzer**: hi\n\n**Assistent**: ho',
    ];
    for (const text of forms)
      expect(parseSlice(text, true).messages).toEqual([
        { role: 'user', text: 'hi' },
        { role: 'assistant', text: 'ho' },
      ]);
  });
  test('keeps text word for word, a code block that looks like a speaker too', () => {
    const text = 'User: see\n\n```\nUser: not me\n## Assistant\n```\n\n- a\n  - b\nAssistant: ok';
    expect(parseSlice(text, true).messages[0]?.text).toBe('see\n\n```\nUser: not me\n## Assistant\n```\n\n- a\n  - b');
  });
  test('takes the title from the first heading before anybody speaks', () => {
    expect(parseSlice('# My chat\n\nUser: hi', true).title).toBe('My chat');
    expect(parseSlice('User: hi\n# Not a title', true).title).toBe('');
  });
  test('finds nothing in a text that names no speakers', () => {
    expect(parseSlice('just some prose\n\nNote: nothing', true).messages).toEqual([]);
    expect(parseSlice('', true).messages).toEqual([]);
  });
  test('leaves the last message of a slice to the next one, which begins with it', () => {
    const text = 'User: hi\r\nAssistant: ho\r\nand mo';
    const { messages, used } = parseSlice(text, false);
    expect(messages).toEqual([{ role: 'user', text: 'hi' }]);
    expect(text.slice(used)).toBe('Assistant: ho\r\nand mo');
  });
});

test('a title is the beginning of the first message, cut at a word', () => {
  expect(titleFrom('# Plan the `release`\n\nmore')).toBe('Plan the release');
  expect(titleFrom(`${'word '.repeat(30)}`).length).toBeLessThanOrEqual(61);
  expect(titleFrom('```\ncode\n```')).toBe('``` code ```');
});
