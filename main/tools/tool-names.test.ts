import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offeredName, prefixFor } from './tool-names';

const USABLE = /^[A-Za-z0-9_-]{1,64}$/;

test('whatever a server and its tools are called, their names are such as every model takes, and no two are alike', () => {
  const anything = fc.oneof(
    fc.string({ minLength: 1, maxLength: 90 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }),
    fc.constantFrom('a__b', 'a b', 'a_b', 'a-b', 'ä', '___', 'x'.repeat(200)),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(anything, fc.uniqueArray(anything, { minLength: 1 })), { maxLength: 5 }),
      (servers) => {
        const taken = new Set<string>();
        const names: string[] = [];
        for (const [server, tools] of servers) {
          const prefix = prefixFor(server, taken);
          taken.add(prefix);
          names.push(...tools.map((tool) => offeredName(prefix, tool)));
        }
        for (const name of names) expect(name).toMatch(USABLE);
        expect(new Set(names).size).toBe(names.length);
      },
    ),
  );
});

test('plain names stay as they are, and others keep their name whatever else there is', () => {
  expect(prefixFor('File System', new Set())).toBe('file_system');
  expect(prefixFor('Mail', new Set(['mail', 'mail-2']))).toBe('mail-3');
  expect(prefixFor('邮件', new Set())).toBe('server');
  expect(offeredName('mail', 'get-inbox')).toBe('mail__get-inbox');
  expect(offeredName('mail', 'get inbox')).toMatch(/^mail__get_inbox_[0-9a-f]{6}$/);
  expect(offeredName('mail', 'get inbox')).toBe(offeredName('mail', 'get inbox'));
});
