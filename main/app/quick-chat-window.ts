import { BrowserWindow, screen } from 'electron';
import { backgroundColor, loadPage, PAGE_PREFERENCES } from './app-window';

const SIZE = { width: 640, height: 420 } as const;
const MAX_HEIGHT = 640;
/** Share of the display's free height above the window. */
const FROM_TOP = 0.22;

/** The page's options, and what the quick chat tells: that it was summoned, and that it has gone. */
export interface QuickChatOptions extends Omit<Parameters<typeof loadPage>[2], 'onPageDead'> {
  readonly onMade: (windowId: number) => void;
  readonly onGone: (windowId: number) => void;
  readonly onSummoned: (windowId: number) => void;
  readonly onHidden: () => void;
}

/**
 * The one quick chat. Made at the first need, then kept warm: hiding really hides it, so that nothing invisible lies
 * over other windows. It stays in front and goes away when it loses the focus, unless it is pinned.
 */
export class QuickChatWindow {
  readonly #options: QuickChatOptions;
  #window: BrowserWindow | null = null;
  #pinned = false;
  /** Shown as soon as the page has painted for the first time. */
  #painted = false;
  #wanted = false;

  constructor(options: QuickChatOptions) {
    this.#options = options;
  }

  get windowId(): number | null {
    return this.#window?.webContents.id ?? null;
  }

  get isVisible(): boolean {
    return this.#window?.isVisible() ?? false;
  }

  /** Makes the hidden window, so that the first summons is as fast as the next. */
  warm(): void {
    if (this.#window === null) this.#make();
  }

  show(): void {
    this.#wanted = true;
    this.warm();
    if (this.#painted) this.#present();
  }

  hide(): void {
    this.#wanted = false;
    this.#pinned = false;
    if (!this.isVisible) return;
    this.#window?.hide();
    this.#options.onHidden();
  }

  toggle(): void {
    if (this.isVisible && this.#window?.isFocused()) this.hide();
    else this.show();
  }

  pin(pinned: boolean): void {
    this.#pinned = pinned;
  }

  /** Grows downwards with the answer, up to its largest height. */
  resize(height: number): void {
    const window = this.#window;
    if (window === null) return;
    const { x, y, width } = window.getBounds();
    window.setBounds({ x, y, width, height: Math.min(Math.max(height, 120), MAX_HEIGHT) });
  }

  #make(): void {
    const window = new BrowserWindow({
      ...SIZE,
      show: false,
      frame: false,
      resizable: false,
      maximizable: false,
      minimizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      backgroundColor: backgroundColor(this.#options.dark()),
      // a panel takes the keyboard without bringing the app's other windows to the front
      ...(process.platform === 'darwin' ? { type: 'panel' } : {}),
      webPreferences: PAGE_PREFERENCES,
    });
    this.#window = window;
    window.once('ready-to-show', () => {
      this.#painted = true;
      if (this.#wanted) this.#present();
    });
    window.on('blur', () => {
      if (!this.#pinned) this.hide();
    });
    // closed by the system's own key: hide, the window stays warm
    window.on('close', (event) => {
      event.preventDefault();
      this.hide();
    });
    const windowId = window.webContents.id;
    window.once('closed', () => {
      this.#options.onGone(windowId);
      this.#window = null;
      this.#painted = false;
    });
    this.#options.onMade(window.webContents.id);
    loadPage(window, 'quick-chat.html', { ...this.#options, onPageDead: () => window.destroy() });
  }

  /** On the display where the user is, with the keyboard in its field at once. */
  #present(): void {
    const window = this.#window;
    if (window === null) return;
    if (!window.isVisible()) {
      const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
      const { width, height } = window.getBounds();
      const x = Math.round(workArea.x + (workArea.width - width) / 2);
      const y = Math.round(workArea.y + (workArea.height - height) * FROM_TOP);
      window.setBounds({ x, y, width, height });
      window.show();
    }
    window.focus();
    window.webContents.focus();
    this.#options.onSummoned(window.webContents.id);
  }
}
