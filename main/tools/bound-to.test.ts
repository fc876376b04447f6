import { expect, test } from 'vitest';
import { runsAs } from '../../shared/runs-as';

test('a command line shows the hidden characters of its words', () => {
  const args = ['a\u202eb', 'zero\u200bwidth', 'plain', 'two words', 'del\u007f'];
  expect(runsAs({ kind: 'stdio', command: 'npx', args })).toBe(
    String.raw`npx "a\u{202e}b" "zero\u{200b}width" plain "two words" "del\u{7f}"`,
  );
});
