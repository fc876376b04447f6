import { describe, expect, test } from 'vitest';
import { parseConversation } from './import-text';
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
      expect(parseConversation(text, 'x')?.messages).toEqual([
        { role: 'user', text: 'hi' },
        { role: 'assistant', text: 'ho' },
      ]);
  });
  test('keeps text word for word, a code block that looks like a speaker too', () => {
    const text = 'User: see\n\n```\nUser: not me\n## Assistant\n```\n\n- a\n  - b\nAssistant: ok';
    expect(parseConversation(text, 'x')?.messages[0]?.text).toBe(
      'see\n\n```\nUser: not me\n## Assistant\n```\n\n- a\n  - b',
    );
  });
  test('takes the title from the first heading, else from the file', () => {
    expect(parseConversation('# My chat\n\nUser: hi', 'file')?.title).toBe('My chat');
    expect(parseConversation('User: hi', 'file')?.title).toBe('file');
  });
  test('refuses a text that names no speakers', () => {
    expect(parseConversation('just some prose\n\nNote: nothing', 'x')).toBeNull();
    expect(parseConversation('', 'x')).toBeNull();
  });
});

test('a title is the beginning of the first message, cut at a word', () => {
  expect(titleFrom('# Plan the `release`\n\nmore')).toBe('Plan the release');
  expect(titleFrom(`${'word '.repeat(30)}`).length).toBeLessThanOrEqual(61);
  expect(titleFrom('```\ncode\n```')).toBe('``` code ```');
});
