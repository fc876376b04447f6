import { appStore } from '../stores/app-store';

/** "Mod" is Cmd on macOS and Ctrl elsewhere; shown as that system writes it. */
export function keysText(keys: string): string {
  const mac = appStore.getState().platform === 'darwin';
  return keys
    .split('+')
    .map((key) => {
      switch (key) {
        case 'Mod':
          return mac ? '⌘' : 'Ctrl';
        case 'Shift':
          return mac ? '⇧' : 'Shift';
        case 'Alt':
          return mac ? '⌥' : 'Alt';
        default:
          return key;
      }
    })
    .join(mac ? '' : ' ');
}

/** True where the event is the platform's command key with this letter and nothing else. */
export function isCommand(event: KeyboardEvent, key: string, shift = false): boolean {
  const mac = appStore.getState().platform === 'darwin';
  const mod = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return mod && !event.altKey && event.shiftKey === shift && event.key.toLowerCase() === key;
}
