import { BrowserWindow, screen } from 'electron';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import { ORIGIN } from './app-protocol';
import { guardPage } from './page-guard';
import { PRELOAD } from './paths';
import { MIN_SIZE, placeWindow, readBounds, writeBounds } from './window-bounds';

/** `--surface-1` of the two themes: what shows before the first paint. Source: tokens.css of the renderer. */
const BACKGROUND = { light: '#FCFCFC', dark: '#1A1D1E' } as const;
/** A page that dies more often than this within a minute is not loaded again by itself. */
const RELOADS_PER_MINUTE = 3;

export function backgroundColor(dark: boolean): string {
  return dark ? BACKGROUND.dark : BACKGROUND.light;
}

/** Every app window: sandboxed, isolated, one preload. */
export const PAGE_PREFERENCES = {
  preload: PRELOAD,
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webviewTag: false,
  spellcheck: true,
} as const;

export interface AppWindowOptions {
  readonly profile: string;
  readonly dark: () => boolean;
  readonly icon: string;
  readonly log: Log;
  readonly clock: Clock;
  /** The page was loaded anew: what it knew is gone. */
  readonly onPageReset: (windowId: number) => void;
  /** The page died too often. */
  readonly onPageDead: (window: BrowserWindow) => void;
}

/** Makes the main window: frameless, where it was when it was last closed, shown once it has something to show. */
export function makeAppWindow(options: AppWindowOptions): BrowserWindow {
  const stored = readBounds(options.profile);
  const window = new BrowserWindow({
    ...placeWindow(
      stored,
      screen.getAllDisplays().map((display) => display.workArea),
    ),
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    backgroundColor: backgroundColor(options.dark()),
    icon: options.icon,
    ...(process.platform === 'darwin'
      ? { titleBarStyle: 'hidden', trafficLightPosition: { x: 18, y: 17 } } // 14 px high: their middle is at 24
      : { frame: false }),
    webPreferences: PAGE_PREFERENCES,
  });
  if (stored?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  loadPage(window, 'index.html', options);
  return window;
}

/** Remembers where the window is, for the next start. */
export function rememberBounds(window: BrowserWindow, profile: string): void {
  writeBounds(profile, { ...window.getNormalBounds(), maximized: window.isMaximized() });
}

/** Loads one of our pages and keeps it alive. */
export function loadPage(
  window: BrowserWindow,
  page: string,
  options: Omit<AppWindowOptions, 'profile' | 'icon'>,
): void {
  const { log, clock } = options;
  const contents = window.webContents;
  const deaths: number[] = [];
  guardPage(contents);
  contents.on('did-start-navigation', (event) => {
    if (event.isMainFrame && !event.isSameDocument) options.onPageReset(contents.id);
  });
  contents.on('render-process-gone', (_event, details) => {
    log.warn('page died', { page, reason: details.reason });
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    const now = clock.monotonic();
    deaths.push(now);
    if (deaths.filter((at) => now - at < 60_000).length > RELOADS_PER_MINUTE) options.onPageDead(window);
    // the frame that died is still being taken down in this turn
    else clock.nextTurn(() => contents.reload());
  });
  contents.on('did-fail-load', (_event, code, description) =>
    log.warn('page did not load', { page, code, description }),
  );
  // during development electron-vite serves the pages
  const server = process.env.ELECTRON_RENDERER_URL;
  void window.loadURL(`${server ?? ORIGIN}/${page}`).catch(() => undefined); // told by did-fail-load
}
