import { describe, expect, it } from 'vitest';
import { isUsableShortcut, shortcutDoubt } from './shortcut-rules';

describe('isUsableShortcut', () => {
  it.each([
    'Alt+Space',
    'Control+Shift+Space',
    'CommandOrControl+Alt+P',
    'Super+`',
    'F8',
    'Shift+F8',
    'MediaPlayPause',
  ])('allows %s', (shortcut) => expect(isUsableShortcut(shortcut)).toBe(true));
  // each of these would take an ordinary key from every other program, or names no key at all
  it.each(['', 'A', 'Space', 'Shift+A', 'Alt', 'Alt+Shift', 'Alt+', 'Foo+A', 'A+B', 'Alt+A+B'])(
    'refuses "%s"',
    (shortcut) => expect(isUsableShortcut(shortcut)).toBe(false),
  );
});

describe('shortcutDoubt', () => {
  it('doubts on Wayland only', () => {
    expect(shortcutDoubt({ XDG_SESSION_TYPE: 'wayland' }, 'linux')).toBe('wayland');
    expect(shortcutDoubt({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe('wayland');
    expect(shortcutDoubt({ XDG_SESSION_TYPE: 'x11', DISPLAY: ':0' }, 'linux')).toBeNull();
    expect(shortcutDoubt({ XDG_SESSION_TYPE: 'wayland' }, 'darwin')).toBeNull();
  });
});
