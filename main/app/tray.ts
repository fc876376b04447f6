import { Menu, nativeTheme, Tray } from 'electron';
import { trayIcon } from './tray-icon';
import { type TrayActions, type TrayModel, trayMenu, trayState, trayTooltip } from './tray-menu';

/** The icon in the system's tray, kept true to what runs. */
export class AppTray {
  readonly #tray: Tray;
  readonly #actions: TrayActions;
  #model: TrayModel;

  constructor(model: TrayModel, actions: TrayActions) {
    this.#model = model;
    this.#actions = actions;
    this.#tray = new Tray(this.#icon());
    // on macOS and Linux a click opens the menu by itself
    if (process.platform === 'win32') this.#tray.on('click', () => actions.open());
    nativeTheme.on('updated', () => this.#draw());
    this.#draw();
  }

  show(model: TrayModel): void {
    this.#model = model;
    this.#draw();
  }

  #draw(): void {
    if (this.#tray.isDestroyed()) return;
    this.#tray.setImage(this.#icon());
    this.#tray.setToolTip(trayTooltip(this.#model));
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayMenu(this.#model, this.#actions)));
  }

  #icon() {
    // on Linux panels are dark whatever the windows are, on macOS the system colours the template itself
    const light = process.platform === 'linux' || (process.platform === 'win32' && nativeTheme.shouldUseDarkColors);
    return trayIcon(trayState(this.#model), light);
  }
}
