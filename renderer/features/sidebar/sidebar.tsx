import './sidebar.css';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon-button';
import { IconBin, IconClose, IconNewChat, IconSearch, IconSettings } from '../../components/icons';
import { keysText } from '../../components/keys';
import { Tip } from '../../components/tooltip';
import { appStore, useApp } from '../../stores/app-store';
import { useLayout } from '../../stores/layout-store';
import { newChat } from '../../stores/open-session';
import { importConversations } from '../../stores/session-actions';
import { told } from '../../stores/toast-store';
import { SearchResults } from './search-results';
import { SessionList } from './session-list';
import { useSearch } from './use-search';

/** Search, new chat, the chats by day, and the way to settings and bin. Files dropped on it are imported. */
export function Sidebar() {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const search = useSearch(query);
  const field = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const wanted = useLayout((state) => state.searchFocus);
  const page = useApp((state) => state.page);
  useEffect(() => {
    if (wanted === 0) return;
    field.current?.focus();
    field.current?.select();
  }, [wanted]);
  const [dropping, setDropping] = useState(false);
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) void importConversations(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop files; the same is a menu command
    <div
      ref={body}
      className={dropping ? 'side-body is-dropping' : 'side-body'}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={dropped}
    >
      <div className="side-tools">
        <div className="search">
          <Icon of={IconSearch} />
          <input
            ref={field}
            type="search"
            value={query}
            placeholder={t('sidebar.search.label')}
            aria-label={t('sidebar.search.label')}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setQuery('');
              else if (event.key === 'ArrowDown') {
                body.current?.querySelector<HTMLElement>('.hit, .sess-open[tabindex="0"]')?.focus();
              } else return;
              event.preventDefault();
              event.stopPropagation();
            }}
          />
          {query === '' ? (
            <kbd>{keysText('Mod+F')}</kbd>
          ) : (
            <IconButton
              small
              icon={IconClose}
              label={t('sidebar.search.clear')}
              onClick={() => {
                setQuery('');
                field.current?.focus();
              }}
            />
          )}
        </div>
        <Tip text={t('sidebar.newChat')} keys={keysText('Mod+N')}>
          <button
            type="button"
            className="newchat"
            aria-label={t('sidebar.newChat')}
            onClick={() => void told(newChat())}
          >
            <Icon of={IconNewChat} />
          </button>
        </Tip>
      </div>
      {query.trim() === '' ? <SessionList /> : <SearchResults state={search} onLeave={() => field.current?.focus()} />}
      <footer className="side-foot">
        <button type="button" className="setbtn" onClick={() => appStore.getState().pageShown('settings')}>
          <Icon of={IconSettings} />
          {t('sidebar.settings')}
        </button>
        <span className="grow" />
        <IconButton
          icon={IconBin}
          label={t('sidebar.bin')}
          on={page === 'bin'}
          onClick={() => appStore.getState().pageShown(page === 'bin' ? 'chat' : 'bin')}
        />
      </footer>
      {dropping && <p className="drop-words">{t('app.dropToImport')}</p>}
    </div>
  );
}
