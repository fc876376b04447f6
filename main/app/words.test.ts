import { expect, test } from 'vitest';
import { words } from './words';

const runs = 'npx '.repeat(2_000);

test('what the user must know stands before a command line, however long that is', () => {
  expect(words.confirmServer({ name: 'Mail', runs, place: 'program' }).detail).toMatch(/^This program runs with your/);
  expect(words.confirmServer({ name: 'Mail', runs, place: 'remote' }).detail).toMatch(/^What models write/);
  expect(words.confirmAlways('Mail', 'send', runs).detail).toMatch(/^Models in every chat/);
});

test('an address of this computer is not told as a program that the app runs', () => {
  const { message, detail } = words.confirmServer({ name: 'Mail', runs: 'http://127.0.0.1:1/mcp', place: 'local' });
  expect(message).toBe('Use the tool server “Mail”?');
  expect(detail).not.toMatch(/your rights|leaves this computer/);
});
