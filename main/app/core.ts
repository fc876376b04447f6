import type { AppSnapshot } from '../../shared/ipc/contract';
import type { AppEvent } from '../../shared/ipc/events';
import type { SessionId } from '../../shared/model/ids';
import type { Fork } from '../hosts/child';
import type { Caller, Handlers } from '../ipc/handlers';
import type { Clock } from '../lib/clock';
import type { Emitter } from '../lib/emitter';
import type { Ids } from '../lib/ids';
import type { Log } from '../lib/log';
import type { Network } from '../providers/ask-http';
import type { Keyring } from '../settings/secrets';
import type { SettingsStore } from '../settings/settings';
import type { PowerEvent } from './power';

/** Routes that windows, tray and system answer; all others are the core's. */
export type ShellRoute =
  | 'app.openLink'
  | 'app.copy'
  | 'quickChat.setShortcut'
  | 'quickChat.checkShortcut'
  | 'quickChat.show'
  | 'quickChat.hide'
  | 'quickChat.pin'
  | 'quickChat.moveToMain'
  | 'quickChat.resize'
  | 'window.act';

export type ShellHandlers = Pick<Handlers, ShellRoute>;
export type CoreHandlers = Omit<Handlers, ShellRoute>;

/** Facts about this machine that a snapshot carries and only the shell knows. */
export type ShellFacts = Pick<
  AppSnapshot,
  'platform' | 'version' | 'dark' | 'trayAvailable' | 'shortcutDoubt' | 'shortcutRefusal'
>;

/** What only the user can allow. `runs` = a command line, or an address. */
export type Confirmation =
  | {
      readonly kind: 'tool-server';
      readonly name: string;
      readonly runs: string;
      /** A program that is started, or where the address is. */
      readonly place: 'program' | 'local' | 'remote';
    }
  | { readonly kind: 'tool-always'; readonly server: string; readonly tool: string; readonly runs: string };

/** What the core may ask of the shell: Electron's own things behind plain functions. */
export interface Shell {
  facts(): ShellFacts;
  /** Lets the user pick files over the asking window; empty = the dialog was closed. */
  pickFiles(caller: Caller, what: 'conversations' | 'models' | 'attachments'): Promise<readonly string[]>;
  /** Lets the user pick a folder that models may read; null = the dialog was closed. */
  pickFolder(caller: Caller): Promise<string | null>;
  /** Asks in a dialog of the system, which no page can answer. */
  confirm(caller: Caller, what: Confirmation): Promise<boolean>;
  /** Lets the user pick where to save; null = the dialog was closed. */
  pickTarget(caller: Caller, suggestedName: string): Promise<string | null>;
  readonly power: Emitter<PowerEvent>;
  /** True while the machine is known to run on its battery. */
  onBattery(): boolean;
  readonly keyring: Keyring;
  readonly fork: Fork;
  readonly network: Network;
}

/** What the core is made from. Folders and files are absolute paths. */
export interface CoreEnv {
  /** Everything of this user: database, instance locks, logs. */
  readonly profile: string;
  /** The built-in practice model. */
  readonly practiceModel: string;
  /** Origin of the hub that models are downloaded from. */
  readonly hub: string;
  /** Memory of this computer, in bytes. */
  readonly memoryBytes: number;
  /** Entry of main's data thread. */
  readonly dataThreadEntry: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly shell: Shell;
}

/** The app without its windows. `compose.ts` makes it. */
export interface AppCore {
  readonly handlers: CoreHandlers;
  readonly events: Emitter<AppEvent>;
  readonly settings: SettingsStore;
  /** Title of a session for menus and notifications, null where there is no such session. */
  titleOf(sessionId: SessionId): string | null;
  /** Ends streams and attempts, stores what they had, closes the database. The shell waits for it for 2 s at most. */
  quit(): Promise<void>;
}
