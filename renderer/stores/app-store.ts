import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { AppSnapshot, SessionPage } from '../../shared/ipc/contract';
import { defaultSettings } from '../../shared/model/default-settings';
import type { CatalogueRow } from '../../shared/model/download';
import type { ModelRef, SessionId } from '../../shared/model/ids';
import type { Provider } from '../../shared/model/provider';
import type { SessionRow } from '../../shared/model/session';
import type { Settings } from '../../shared/model/settings';
import type { ToolsView } from '../../shared/model/tools';
import { compareRows, reorder } from './session-order';

export type Page = 'chat' | 'settings' | 'bin' | 'first-run';
export const settingsPages = [
  'providers',
  'models',
  'compression',
  'quick-chat',
  'tools',
  'appearance',
  'data',
  'about',
] as const;
export type SettingsPage = (typeof settingsPages)[number];

export interface AppState {
  /** False until the first snapshot is here. */
  readonly ready: boolean;
  readonly platform: AppSnapshot['platform'];
  readonly version: string;
  readonly dark: boolean;
  readonly settings: Settings;
  readonly providers: readonly Provider[];
  readonly defaultModel: ModelRef | null;
  readonly tools: ToolsView;
  /** Models that can be downloaded. */
  readonly catalogue: readonly CatalogueRow[];
  /** Memory of this computer, in bytes. */
  readonly memoryBytes: number;
  readonly trayAvailable: boolean;
  readonly shortcutDoubt: AppSnapshot['shortcutDoubt'];
  readonly shortcutRefusal: AppSnapshot['shortcutRefusal'];
  readonly rows: Readonly<Record<SessionId, SessionRow>>;
  /** Ids of the rows that are loaded and not in the bin: pinned first, then by the last change. */
  readonly order: readonly SessionId[];
  /** Where the list goes on; null = all rows are loaded. */
  readonly next: number | null;
  readonly page: Page;
  readonly settingsPage: SettingsPage;
  readonly currentId: SessionId | null;

  snapshotTaken(snapshot: AppSnapshot): void;
  sessionsRead(page: SessionPage): void;
  sessionChanged(row: SessionRow): void;
  sessionRemoved(id: SessionId): void;
  providersChanged(providers: readonly Provider[], defaultModel: ModelRef | null): void;
  toolsChanged(tools: ToolsView): void;
  catalogueChanged(catalogue: readonly CatalogueRow[]): void;
  settingsChanged(settings: Settings): void;
  themeChanged(dark: boolean): void;
  shortcutChanged(refusal: AppSnapshot['shortcutRefusal']): void;
  pageShown(page: Page): void;
  settingsPageShown(page: SettingsPage): void;
  sessionShown(id: SessionId | null): void;
}

/** What is true of the whole app. Written by the event router and by what the user opens; never by components. */
export const appStore = createStore<AppState>()((set) => ({
  ready: false,
  platform: 'linux',
  version: '',
  dark: false,
  settings: defaultSettings,
  providers: [],
  defaultModel: null,
  tools: { servers: [], folders: [] },
  catalogue: [],
  memoryBytes: 0,
  trayAvailable: true,
  shortcutDoubt: null,
  shortcutRefusal: null,
  rows: {},
  order: [],
  next: null,
  page: 'chat',
  settingsPage: 'providers',
  currentId: null,

  snapshotTaken: (snapshot) =>
    set({
      ready: true,
      platform: snapshot.platform,
      version: snapshot.version,
      dark: snapshot.dark,
      settings: snapshot.settings,
      providers: snapshot.providers,
      defaultModel: snapshot.defaultModel,
      tools: snapshot.tools,
      catalogue: snapshot.catalogue,
      memoryBytes: snapshot.memoryBytes,
      trayAvailable: snapshot.trayAvailable,
      shortcutDoubt: snapshot.shortcutDoubt,
      shortcutRefusal: snapshot.shortcutRefusal,
      ...merged({}, snapshot.sessions.rows),
      next: snapshot.sessions.next,
    }),
  sessionsRead: (page) => set((state) => ({ ...merged(state.rows, page.rows), next: page.next })),
  sessionChanged: (row) =>
    set((state) => ({
      order: row.deletedAt === null ? reorder(state.order, state.rows, row) : state.order.filter((id) => id !== row.id),
      rows: { ...state.rows, [row.id]: row },
    })),
  sessionRemoved: (id) =>
    set((state) => {
      const rows = { ...state.rows };
      delete rows[id];
      return { rows, order: state.order.filter((other) => other !== id) };
    }),
  providersChanged: (providers, defaultModel) => set({ providers, defaultModel }),
  toolsChanged: (tools) => set({ tools }),
  catalogueChanged: (catalogue) => set({ catalogue }),
  settingsChanged: (settings) => set({ settings }),
  themeChanged: (dark) => set({ dark }),
  shortcutChanged: (shortcutRefusal) => set({ shortcutRefusal }),
  pageShown: (page) => set({ page }),
  settingsPageShown: (settingsPage) => set({ page: 'settings', settingsPage }),
  sessionShown: (currentId) => set({ currentId, page: 'chat' }),
}));

function merged(
  known: AppState['rows'],
  more: readonly SessionRow[],
): { rows: AppState['rows']; order: readonly SessionId[] } {
  const rows: Record<SessionId, SessionRow> = { ...known };
  for (const row of more) rows[row.id] = row;
  const order = Object.values(rows)
    .filter((row) => row.deletedAt === null)
    .sort(compareRows)
    .map((row) => row.id);
  return { rows, order };
}

/** Selectors answer a primitive or a stored reference, never a new object. */
export function useApp<T>(selector: (state: AppState) => T): T {
  return useStore(appStore, selector);
}

/** The model that answers this chat, or a new one where there is none yet; null = there is no model. */
export function modelOf(state: AppState, sessionId: SessionId | null): ModelRef | null {
  return (sessionId && state.rows[sessionId]?.model) ?? state.defaultModel;
}

/** The provider and the model that a reference names; undefined where it names none that is known. */
export function findProvider(state: AppState, id: string | null | undefined): Provider | undefined {
  return state.providers.find((provider) => provider.id === id);
}
