import { app, BrowserWindow, nativeTheme, type WebContents } from 'electron';
import type { SessionId } from '../../shared/model/ids';
import type { EventFeed } from '../ipc/event-feed';
import type { Caller } from '../ipc/handlers';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import { backgroundColor } from './app-window';
import type { AppCore, ShellHandlers } from './core';
import { bidFarewell } from './farewell';
import { MainWindow } from './main-window';
import { setMenu } from './menu';
import { notify } from './notifications';
import { QuickChatWindow } from './quick-chat-window';
import { Quitting } from './quit';
import { RunningCompressions } from './running-compressions';
import { shellHandlers } from './shell-handlers';
import type { QuickChatShortcut } from './shortcut';
import { AppTray } from './tray';
import { TurnNewsReader } from './turn-news';

export interface AppShellOptions {
  readonly core: AppCore;
  readonly feed: EventFeed;
  readonly shortcut: QuickChatShortcut;
  readonly profile: string;
  readonly icon: string;
  readonly trayAvailable: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

const isDark = () => nativeTheme.shouldUseDarkColors;

/** Windows, tray, shortcut, notifications and the end of the app, around one core. */
export class AppShell {
  readonly handlers: ShellHandlers;
  readonly #options: AppShellOptions;
  readonly #main: MainWindow;
  readonly #quickChat: QuickChatWindow;
  readonly #compressions = new RunningCompressions();
  readonly #news = new TurnNewsReader();
  #tray: AppTray | null = null;

  constructor(options: AppShellOptions) {
    this.#options = options;
    const { core, feed, shortcut, profile, icon, trayAvailable, clock, log } = options;
    const { settings } = core;
    const quitting = new Quitting(clock, log, () => this.#end());
    const pages = {
      dark: isDark,
      log,
      clock,
      onMade: (windowId: number) => feed.addWindow(windowId),
      onPageReset: (windowId: number) => feed.pageReset(windowId),
    };
    this.#main = new MainWindow({
      ...pages,
      profile,
      icon,
      settings,
      trayAvailable,
      isQuitting: () => quitting.isQuitting,
      onGone: (windowId) => feed.removeWindow(windowId),
    });
    this.#quickChat = new QuickChatWindow({
      ...pages,
      onGone: (windowId) => feed.removeWindow(windowId),
      onSummoned: (windowId) => feed.publishTo(windowId, { type: 'quickChat.summoned' }),
      onHidden: () => this.#quickChatHidden(),
    });
    this.handlers = shellHandlers({ main: this.#main, quickChat: this.#quickChat, shortcut, settings, feed });
    this.#listen();
  }

  /** What app window this is, null where it is none. */
  readonly kindOf = (contents: WebContents): Caller['kind'] | null => {
    if (contents.id === this.#main.windowId) return 'main';
    return contents.id === this.#quickChat.windowId ? 'quick' : null;
  };

  /** Opens what this start asked for. Call once, after the request door is open. */
  open(argv: readonly string[]): void {
    const { core, trayAvailable } = this.#options;
    setMenu(() => this.#showSettings());
    if (trayAvailable) this.#tray = this.#makeTray();
    this.#takeShortcut(core.settings.current.quickChatShortcut);
    this.startedAgain(argv);
  }

  /** A start of the app, the first or one that was handed over. */
  startedAgain(argv: readonly string[]): void {
    if (argv.includes('--quick')) this.#quickChat.show();
    else this.#main.show();
  }

  #listen(): void {
    const { core, feed, shortcut } = this.#options;
    const { settings } = core;
    nativeTheme.themeSource = settings.current.theme;
    nativeTheme.on('updated', () => {
      for (const window of BrowserWindow.getAllWindows()) window.setBackgroundColor(backgroundColor(isDark()));
      feed.publish({ type: 'theme.changed', dark: isDark() });
    });
    settings.changed.on((changed) => {
      nativeTheme.themeSource = changed.theme;
      this.#tray?.show(this.#trayModel());
      feed.publish({ type: 'settings.changed', settings: changed });
    });
    shortcut.pressed.on(() => this.#quickChat.toggle());
    shortcut.changed.on(() => {
      this.#tray?.show(this.#trayModel());
      feed.publish({ type: 'shortcut.changed', refusal: shortcut.refusal });
    });
    core.events.on((event) => {
      feed.publish(event);
      if (this.#compressions.heard(event)) this.#tray?.show(this.#trayModel());
      const news = this.#news.heard(event);
      const title = news && core.titleOf(news.sessionId);
      if (news && title !== null) notify(news, title, this.#options.clock.wall(), (id) => this.#showSession(id));
    });
    app.on('activate', () => this.#main.show());
    // closing decides by itself whether the app ends; without this Electron would end it
    app.on('window-all-closed', () => undefined);
  }

  #takeShortcut(shortcut: string | null): void {
    if (shortcut === null) return;
    const refusal = this.#options.shortcut.takeStored(shortcut);
    if (refusal === null) this.#quickChat.warm();
    // another program has it meanwhile, which the settings page says
    else this.#options.log.warn('the shortcut of quick chat is not to be had', { refusal });
  }

  #makeTray(): AppTray {
    return new AppTray(this.#trayModel(), {
      quickChat: () => this.#quickChat.show(),
      open: () => this.#main.show(),
      openSession: (sessionId) => this.#showSession(sessionId),
      setAutomatic: (automatic) => this.#options.core.settings.change({ automaticCompression: automatic }),
      settings: () => this.#showSettings(),
      quit: () => app.quit(),
    });
  }

  #trayModel() {
    const { core, shortcut } = this.#options;
    const automatic = core.settings.current.automaticCompression;
    return { running: this.#compressions.list(), automatic, shortcut: shortcut.current };
  }

  #showSession(sessionId: SessionId): void {
    this.#options.feed.publishTo(this.#main.show(), { type: 'show.session', sessionId });
  }

  #showSettings(): void {
    this.#options.feed.publishTo(this.#main.show(), { type: 'show.page', page: 'settings' });
  }

  /** Started only for the quick chat on a desktop without a tray: there is nothing left to come back by. */
  #quickChatHidden(): void {
    if (this.#main.windowId === null && !this.#options.trayAvailable) app.quit();
  }

  async #end(): Promise<void> {
    this.#main.rememberBounds();
    await bidFarewell(this.#options.clock);
    await this.#options.core.quit();
  }
}
