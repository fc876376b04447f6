import type { TFunction } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import { request } from '../../bridge/request';
import {
  IconBin,
  IconChat,
  IconContext,
  IconExport,
  IconFold,
  IconImport,
  IconKeyboard,
  IconNewChat,
  IconQuickChat,
  IconSearch,
  IconSettings,
  IconSidebar,
  IconStop,
} from '../../components/icons';
import { type AppState, appStore, settingsPages } from '../../stores/app-store';
import { layoutStore } from '../../stores/layout-store';
import { newChat, openSession } from '../../stores/open-session';
import { chooseRange } from '../../stores/range-store';
import { exportSession, importConversations, titleOf } from '../../stores/session-actions';
import { isBusy, type SessionState } from '../../stores/session-store';
import { told } from '../../stores/toast-store';

export interface PaletteEntry {
  readonly key: string;
  readonly group: 'commands' | 'chats' | 'settings';
  readonly name: string;
  readonly icon: LucideIcon;
  /** Keys that do the same, as "Mod+K". */
  readonly keys: string | null;
  run(): void;
}

/** Chats that are offered for a query. */
const CHATS_SHOWN = 12;

/** Everything the palette can do now: a command that would do nothing is not there. */
export function commandEntries(t: TFunction, session: SessionState): readonly PaletteEntry[] {
  const command = (
    name: Parameters<typeof commandName>[1],
    icon: LucideIcon,
    keys: string | null,
    run: () => void,
  ): PaletteEntry => ({ key: name, group: 'commands', name: commandName(t, name), icon, keys, run });
  const { sessionId, branchId } = session;
  const layout = layoutStore.getState();
  const entries = [
    command('newChat', IconNewChat, 'Mod+N', () => void told(newChat())),
    command('search', IconSearch, 'Mod+F', layout.searchWanted),
  ];
  if (sessionId !== null && branchId !== null) {
    if (isBusy(session)) {
      entries.push(command('stop', IconStop, null, () => void told(request('turns.stop', { sessionId }))));
    }
    if (session.lastSeq > 0) {
      const start = () =>
        void told(request('compression.start', { sessionId, branchId, strategies: ['prune', 'summarize', 'extract'] }));
      entries.push(command('compress', IconFold, null, start));
      entries.push(
        command('compressRange', IconFold, null, () => {
          appStore.getState().pageShown('chat');
          chooseRange();
        }),
      );
      entries.push(command('export', IconExport, null, () => void exportSession(sessionId)));
    }
  }
  entries.push(
    command('panel', IconContext, 'Mod+I', () => {
      appStore.getState().pageShown('chat');
      layout.panelToggled();
    }),
    command('sidebar', IconSidebar, 'Mod+B', layout.sidebarToggled),
    command('quickChat', IconQuickChat, null, () => void told(request('quickChat.show', {}))),
    command('import', IconImport, null, () => void importConversations([])),
    command('bin', IconBin, null, () => appStore.getState().pageShown('bin')),
    command('keys', IconKeyboard, 'Mod+/', () => layout.overlayShown('keyboard-help')),
  );
  return entries;
}

function commandName(
  t: TFunction,
  name:
    | 'newChat'
    | 'search'
    | 'stop'
    | 'compress'
    | 'compressRange'
    | 'export'
    | 'panel'
    | 'sidebar'
    | 'quickChat'
    | 'import'
    | 'bin'
    | 'keys',
): string {
  return t(`palette.commands.${name}`);
}

export function settingEntries(t: TFunction): readonly PaletteEntry[] {
  return settingsPages.map((page) => ({
    key: `settings ${page}`,
    group: 'settings',
    name: t('palette.setting', { page: t(`settings.pages.${page}`) }),
    icon: IconSettings,
    keys: null,
    run: () => appStore.getState().settingsPageShown(page),
  }));
}

/** Chats whose names hold all words of the query, in the order of the sidebar. */
export function chatEntries(app: Pick<AppState, 'order' | 'rows'>, query: string): readonly PaletteEntry[] {
  const found: PaletteEntry[] = [];
  for (const id of app.order) {
    const name = titleOf(app.rows[id]?.title ?? '');
    if (!matches(name, query)) continue;
    found.push({
      key: id,
      group: 'chats',
      name,
      icon: IconChat,
      keys: null,
      run: () => void told(openSession(id, null)),
    });
    if (found.length === CHATS_SHOWN) break;
  }
  return found;
}

/** True where each word of the query begins or stands in a word of the name, whatever its case or accents. */
export function matches(name: string, query: string): boolean {
  const plain = fold(name);
  return fold(query)
    .split(/\s+/)
    .every((word) => plain.includes(word));
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
