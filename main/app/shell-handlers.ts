import { BrowserWindow, clipboard, shell, webContents } from 'electron';
import type { EventFeed } from '../ipc/event-feed';
import type { SettingsStore } from '../settings/settings';
import type { ShellHandlers } from './core';
import type { MainWindow } from './main-window';
import type { QuickChatWindow } from './quick-chat-window';
import type { QuickChatShortcut } from './shortcut';

export interface ShellParts {
  readonly main: MainWindow;
  readonly quickChat: QuickChatWindow;
  readonly shortcut: QuickChatShortcut;
  readonly settings: SettingsStore;
  readonly feed: EventFeed;
}

/** The routes that windows and system answer. */
export function shellHandlers({ main, quickChat, shortcut, settings, feed }: ShellParts): ShellHandlers {
  return {
    'app.openLink': ({ url }) => shell.openExternal(url),
    'app.copy': ({ text }) => clipboard.writeText(text), // a promise on newer Electrons
    'quickChat.setShortcut': (input) => {
      shortcut.set(input.shortcut);
      settings.change({ quickChatShortcut: input.shortcut });
      if (input.shortcut !== null) quickChat.warm();
    },
    'quickChat.checkShortcut': () => shortcut.check(),
    'quickChat.show': () => quickChat.show(),
    'quickChat.hide': () => quickChat.hide(),
    'quickChat.pin': ({ pinned }) => quickChat.pin(pinned),
    'quickChat.moveToMain': ({ sessionId }) => {
      feed.publishTo(main.show(), { type: 'show.session', sessionId });
      quickChat.hide();
    },
    'quickChat.resize': ({ height }) => quickChat.resize(height),
    'window.act': ({ act }, caller) => {
      const contents = webContents.fromId(caller.windowId);
      const window = contents ? BrowserWindow.fromWebContents(contents) : null;
      if (window) actOn(window, act);
    },
  };
}

function actOn(window: BrowserWindow, act: 'minimize' | 'maximize' | 'close'): void {
  switch (act) {
    case 'minimize':
      window.minimize();
      break;
    case 'maximize':
      if (window.isMaximized()) window.unmaximize();
      else window.maximize();
      break;
    case 'close':
      window.close();
      break;
  }
}
