import { expect, it } from 'vitest';
import { pressedShortcut, shortcutText } from './accelerator';

const keys = (code: string, ...held: ('ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey')[]) =>
  pressedShortcut({
    code,
    ctrlKey: held.includes('ctrlKey'),
    altKey: held.includes('altKey'),
    shiftKey: held.includes('shiftKey'),
    metaKey: held.includes('metaKey'),
  });

it.each([
  [keys('Space', 'ctrlKey', 'shiftKey'), 'Control+Shift+Space'],
  [keys('KeyP', 'altKey'), 'Alt+P'],
  [keys('Digit1', 'metaKey'), 'Super+1'],
  [keys('F9'), 'F9'],
])('reads %j', (pressed, shortcut) => {
  expect(pressed).toEqual({ kind: 'shortcut', shortcut });
});

it.each([
  ['a letter alone', keys('KeyP')],
  ['a letter with Shift, which is typing', keys('KeyP', 'shiftKey')],
  ['a modifier alone', keys('ControlLeft', 'ctrlKey')],
  ['a key without a name', keys('IntlRo', 'ctrlKey')],
])('does not take %s', (_, pressed) => {
  expect(pressed.kind).toBe('incomplete');
});

it('writes a shortcut as each system does', () => {
  expect(shortcutText('Control+Alt+Space', 'linux')).toBe('Ctrl + Alt + Space');
  expect(shortcutText('Super+K', 'win32')).toBe('Win + K');
  expect(shortcutText('Super+Shift+K', 'darwin')).toBe('⌘⇧K');
});
