import { type BrowserWindow, dialog } from 'electron';
import type { SettingsStore } from '../settings/settings';
import { words } from './words';

export type Closing = 'hide' | 'quit' | 'stay';

/**
 * What closing the last app window does. The first time it is explained, and the answer is remembered. Where there
 * is no tray to come back from, a window is never hidden.
 */
export async function chooseClosing(window: BrowserWindow, settings: SettingsStore, tray: boolean): Promise<Closing> {
  const chosen = settings.current.onClose;
  if (chosen === 'quit') return 'quit';
  if (chosen === 'tray' && tray) return 'hide';
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: tray ? words.closeTitle : words.noTrayTitle,
    detail: tray ? words.closeDetail : words.noTrayDetail,
    buttons: [words.closeQuit, tray ? words.closeKeep : words.noTrayStay],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) {
    settings.change({ onClose: 'quit' });
    return 'quit';
  }
  if (!tray) return 'stay';
  settings.change({ onClose: 'tray' });
  return 'hide';
}
