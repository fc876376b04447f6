import { app, type BrowserWindow, dialog } from 'electron';
import type { SettingsStore } from '../settings/settings';
import { type AppWindowOptions, makeAppWindow, rememberBounds } from './app-window';
import { chooseClosing } from './closing';
import { words } from './words';

export interface MainWindowOptions extends Omit<AppWindowOptions, 'onPageDead'> {
  readonly settings: SettingsStore;
  readonly trayAvailable: boolean;
  readonly isQuitting: () => boolean;
  readonly onMade: (windowId: number) => void;
  readonly onGone: (windowId: number) => void;
}

/** The main window: made when it is first wanted, hidden or ended by closing it. */
export class MainWindow {
  readonly #options: MainWindowOptions;
  #window: BrowserWindow | null = null;
  #asking = false;

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  get windowId(): number | null {
    return this.#window?.webContents.id ?? null;
  }

  /** Brings the window to the front, making it where there is none. Answers its number. */
  show(): number {
    const window = this.#window ?? this.#make();
    if (window.isMinimized()) window.restore();
    // a window that was just made shows itself once it has something to show
    if (window.webContents.isLoading() && !window.isVisible()) return window.webContents.id;
    window.show();
    window.focus();
    return window.webContents.id;
  }

  rememberBounds(): void {
    if (this.#window) rememberBounds(this.#window, this.#options.profile);
  }

  #make(): BrowserWindow {
    const window = makeAppWindow({ ...this.#options, onPageDead: (dead) => void this.#pageDied(dead) });
    const windowId = window.webContents.id;
    this.#window = window;
    window.on('close', (event) => {
      this.rememberBounds();
      if (this.#options.isQuitting()) return;
      event.preventDefault();
      void this.#close(window);
    });
    window.once('closed', () => {
      this.#window = null;
      this.#options.onGone(windowId);
    });
    this.#options.onMade(windowId);
    return window;
  }

  async #close(window: BrowserWindow): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const { settings, trayAvailable } = this.#options;
    // on macOS an app without windows stays in the dock, as everyone knows
    const choice = process.platform === 'darwin' ? 'hide' : await chooseClosing(window, settings, trayAvailable);
    this.#asking = false;
    if (choice === 'hide') window.hide();
    if (choice === 'quit') app.quit();
  }

  async #pageDied(window: BrowserWindow): Promise<void> {
    await dialog.showMessageBox({
      type: 'error',
      message: words.pageDiedTitle,
      detail: words.pageDiedDetail,
      buttons: [words.pageReload],
    });
    if (!window.isDestroyed()) window.webContents.reload();
  }
}
