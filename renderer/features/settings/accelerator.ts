/** What pressed keys are as a global shortcut: not yet one, or Electron's name for it. */
export type Pressed = { readonly kind: 'incomplete' } | { readonly kind: 'shortcut'; readonly shortcut: string };

const named: Readonly<Record<string, string>> = {
  Space: 'Space',
  Enter: 'Return',
  Tab: 'Tab',
  Backspace: 'Backspace',
  Delete: 'Delete',
  Insert: 'Insert',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Minus: '-',
  Equal: '=',
  Comma: ',',
  Period: '.',
  Slash: '/',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'",
  BracketLeft: '[',
  BracketRight: ']',
  Backquote: '`',
};

/**
 * Reads a key event as a shortcut for all apps. It needs Ctrl, Alt or Cmd beside a key (an F key may stand alone), so
 * that no plain typing is taken away from others. Keys are read by their place on the keyboard.
 */
export function pressedShortcut(
  event: Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>,
): Pressed {
  const key = keyName(event.code);
  if (key === null) return { kind: 'incomplete' };
  const isFunctionKey = /^F\d{1,2}$/.test(key);
  if (!event.ctrlKey && !event.altKey && !event.metaKey && !isFunctionKey) return { kind: 'incomplete' };
  const parts = [
    event.ctrlKey ? 'Control' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey ? 'Shift' : '',
    event.metaKey ? 'Super' : '',
    key,
  ];
  return { kind: 'shortcut', shortcut: parts.filter(Boolean).join('+') };
}

function keyName(code: string): string | null {
  if (/^Key[A-Z]$/.test(code)) return code.slice(3);
  if (/^Digit\d$/.test(code)) return code.slice(5);
  if (/^F([1-9]|1\d|2[0-4])$/.test(code)) return code;
  return named[code] ?? null;
}

/** Electron's name as the user's system writes it. */
export function shortcutText(shortcut: string, platform: 'darwin' | 'win32' | 'linux'): string {
  const mac = platform === 'darwin';
  const words: Readonly<Record<string, string>> = mac
    ? { Control: '⌃', Alt: '⌥', Shift: '⇧', Super: '⌘', Command: '⌘', CommandOrControl: '⌘' }
    : { Control: 'Ctrl', CommandOrControl: 'Ctrl', Super: platform === 'win32' ? 'Win' : 'Super' };
  return shortcut
    .split('+')
    .map((part) => words[part] ?? part)
    .join(mac ? '' : ' + ');
}
