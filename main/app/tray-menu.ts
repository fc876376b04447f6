import type { MenuItemConstructorOptions } from 'electron';
import type { SessionId } from '../../shared/model/ids';
import type { TrayState } from './tray-icon';
import { words } from './words';

/** A chat that is being compressed, as the tray lists it. */
export interface RunningCompression {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly done: number;
  readonly of: number;
}

export interface TrayModel {
  readonly running: readonly RunningCompression[];
  readonly automatic: boolean;
  /** What is registered now: keys that another app has would be shown in vain. */
  readonly shortcut: string | null;
}

/** What the tray's entries do. */
export interface TrayActions {
  quickChat(): void;
  open(): void;
  openSession(sessionId: SessionId): void;
  setAutomatic(automatic: boolean): void;
  settings(): void;
  quit(): void;
}

/** Longest title in the menu; menus of the system do not cut it themselves. */
const TITLE_MAX = 40;

export function trayState(model: TrayModel): TrayState {
  if (model.running.length > 0) return 'compressing';
  return model.automatic ? 'idle' : 'paused';
}

export function trayTooltip(model: TrayModel): string {
  if (model.running.length > 0) return words.tooltipCompressing(model.running.length);
  return model.automatic ? words.tooltipIdle : words.tooltipPaused;
}

/** The menu's entries, in the order that is fixed for all systems. */
export function trayMenu(model: TrayModel, actions: TrayActions): MenuItemConstructorOptions[] {
  const compressing: MenuItemConstructorOptions[] = model.running.map((running) => ({
    label: `    ${shortTitle(running.title)}  ${progress(running)}`,
    click: () => actions.openSession(running.sessionId),
  }));
  return [
    {
      label: words.trayQuickChat,
      ...(model.shortcut === null ? {} : { accelerator: model.shortcut, registerAccelerator: false }),
      click: actions.quickChat,
    },
    { label: words.trayOpen, click: actions.open },
    { type: 'separator' },
    ...(compressing.length > 0 ? [{ label: words.trayCompressing, enabled: false }, ...compressing] : []),
    {
      label: words.trayPause,
      type: 'checkbox',
      checked: !model.automatic,
      click: () => actions.setAutomatic(!model.automatic),
    },
    { type: 'separator' },
    { label: words.traySettings, click: actions.settings },
    { label: words.quit, click: actions.quit },
  ];
}

function progress({ done, of }: RunningCompression): string {
  if (of === 0) return words.compressionStarting;
  return done < of ? words.compressionPart(done, of) : words.compressionWriting;
}

function shortTitle(title: string): string {
  // an ampersand would underline the next letter
  const plain = title.replaceAll('&', '&&');
  return plain.length > TITLE_MAX ? `${plain.slice(0, TITLE_MAX - 1)}…` : plain;
}
