import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bar } from './components/frame/bar';
import { Icon } from './components/icon';
import { IconButton } from './components/icon-button';
import {
  IconBin,
  IconContext,
  IconDown,
  IconEdit,
  IconExport,
  IconImport,
  IconKeyboard,
  IconMore,
  IconPin,
  IconSearch,
  IconSettings,
  IconUnpin,
} from './components/icons';
import { keysText } from './components/keys';
import { Menu, MenuItem, MenuLine } from './components/menu';
import { RenameField } from './components/rename-field';
import { formatDate } from './i18n/format';
import { appStore, useApp } from './stores/app-store';
import { layoutStore, useLayout } from './stores/layout-store';
import {
  binSession,
  exportSession,
  importConversations,
  pinSession,
  renameSession,
  titleOf,
} from './stores/session-actions';
import { useSession } from './stores/session-store';

/** The toolbar over a chat: its name with what can be done to it, its size, find, context. */
export function ChatBar({ rightmost }: { readonly rightmost: boolean }) {
  const { t } = useTranslation();
  const panelOpen = useLayout((state) => state.panelOpen);
  const finding = useLayout((state) => state.finding);
  const { findingChanged, panelToggled, overlayShown } = layoutStore.getState();
  return (
    <Bar rightmost={rightmost}>
      <ChatTitle hideMeta={panelOpen} />
      <span className="grow" />
      <IconButton
        icon={IconSearch}
        label={t('app.toolbar.find')}
        keys={keysText('Mod+Shift+F')}
        on={finding}
        aria-pressed={finding}
        onClick={() => findingChanged(!finding)}
      />
      <IconButton
        icon={IconContext}
        label={t('app.toolbar.context')}
        keys={keysText('Mod+I')}
        on={panelOpen}
        aria-pressed={panelOpen}
        onClick={panelToggled}
      />
      <Menu align="end" trigger={<IconButton icon={IconMore} label={t('app.toolbar.more')} />}>
        <MenuItem icon={IconImport} onSelect={() => void importConversations([])}>
          {t('palette.commands.import')}
        </MenuItem>
        <MenuItem icon={IconSearch} keys={keysText('Mod+K')} onSelect={() => overlayShown('palette')}>
          {t('palette.label')}
        </MenuItem>
        <MenuItem icon={IconKeyboard} keys={keysText('Mod+/')} onSelect={() => overlayShown('keyboard-help')}>
          {t('palette.commands.keys')}
        </MenuItem>
        <MenuLine />
        <MenuItem
          icon={IconSettings}
          keys={keysText('Mod+,')}
          onSelect={() => appStore.getState().pageShown('settings')}
        >
          {t('sidebar.settings')}
        </MenuItem>
      </Menu>
    </Bar>
  );
}

function ChatTitle({ hideMeta }: { readonly hideMeta: boolean }) {
  const { t } = useTranslation();
  // until the view of a chat is here, the page and its name are those of the one before
  const shown = useSession((state) => state.sessionId);
  const row = useApp(({ rows, currentId }) => {
    const id = shown ?? currentId;
    return id === null ? undefined : rows[id];
  });
  const [renaming, setRenaming] = useState(false);
  if (!row) return null;
  const title = titleOf(row.title);
  const pinned = row.pinnedAt !== null;
  if (renaming) {
    return (
      <RenameField
        title={row.title}
        label={t('sidebar.row.renameField', { title })}
        onDone={(name) => {
          renameSession(row.id, name);
          setRenaming(false);
        }}
        onCancel={() => setRenaming(false)}
      />
    );
  }
  return (
    <>
      <h1>
        <Menu
          onCloseAutoFocus={(event) => renaming && event.preventDefault()}
          trigger={
            <button type="button" className="title" title={title}>
              <span className="cut">{title}</span>
              <Icon of={IconDown} />
              <span className="sr">{t('app.toolbar.menu')}</span>
            </button>
          }
        >
          <MenuItem icon={IconEdit} onSelect={() => setTimeout(() => setRenaming(true))}>
            {t('sidebar.row.rename')}
          </MenuItem>
          <MenuItem icon={pinned ? IconUnpin : IconPin} onSelect={() => pinSession(row.id, !pinned)}>
            {pinned ? t('sidebar.row.unpin') : t('sidebar.row.pin')}
          </MenuItem>
          <MenuItem icon={IconExport} onSelect={() => void exportSession(row.id)}>
            {t('sidebar.row.export')}
          </MenuItem>
          <MenuLine />
          <MenuItem icon={IconBin} danger onSelect={() => void binSession(row.id)}>
            {t('sidebar.row.toBin')}
          </MenuItem>
        </Menu>
      </h1>
      {!hideMeta && row.messages > 0 && (
        <span className="meta num">
          {t('app.toolbar.since', { count: row.messages, date: formatDate(row.createdAt, Date.now()) })}
        </span>
      )}
    </>
  );
}
