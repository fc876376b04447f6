import './palette.css';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../components/icon';
import { keysText } from '../../components/keys';
import { useApp } from '../../stores/app-store';
import { layoutStore } from '../../stores/layout-store';
import { sessionStore } from '../../stores/session-store';
import { chatEntries, commandEntries, matches, type PaletteEntry, settingEntries } from './palette-entries';

/** Commands, chats and settings pages by name. Arrow keys choose, Enter does, Escape closes. */
export function Palette() {
  const { t } = useTranslation();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const order = useApp((state) => state.order);
  const rows = useApp((state) => state.rows);
  const list = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => {
    const commands = commandEntries(t, sessionStore.getState()).filter((entry) => matches(entry.name, query));
    const settings = settingEntries(t).filter((entry) => query !== '' && matches(entry.name, query));
    return [...commands, ...chatEntries({ order, rows }, query), ...settings];
  }, [t, query, order, rows]);
  const chosen = Math.min(at, entries.length - 1);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${chosen}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const close = () => layoutStore.getState().overlayShown('none');
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    close();
    entry.run();
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((chosen + 1) % entries.length);
    else if (event.key === 'ArrowUp') setAt((chosen - 1 + entries.length) % entries.length);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="dialog high palette" aria-describedby={undefined}>
          <Dialog.Title className="sr">{t('palette.label')}</Dialog.Title>
          <input
            className="palette-field"
            value={query}
            placeholder={t('palette.field')}
            role="combobox"
            aria-label={t('palette.field')}
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={entries.length > 0 ? `${listId}-${chosen}` : undefined}
            onChange={(event) => {
              setQuery(event.target.value);
              setAt(0);
            }}
            onKeyDown={keyed}
          />
          <div ref={list} id={listId} className="palette-list" role="listbox" aria-label={t('palette.label')}>
            {entries.map((entry, index) => (
              <Entry
                key={entry.key}
                id={`${listId}-${index}`}
                entry={entry}
                at={index}
                head={entries[index - 1]?.group !== entry.group}
                active={index === chosen}
                onPoint={() => setAt(index)}
                onRun={() => run(entry)}
              />
            ))}
          </div>
          {entries.length === 0 && (
            <p className="palette-none" role="status">
              {t('palette.none', { query })}
            </p>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface EntryProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly at: number;
  readonly head: boolean;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function Entry({ id, entry, at, head, active, onPoint, onRun }: EntryProps) {
  const { t } = useTranslation();
  return (
    <>
      {head && (
        <div className="menu-label" role="presentation">
          {t(`palette.groups.${entry.group}`)}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard; see aria-activedescendant */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus */}
      <div
        id={id}
        data-at={at}
        className={active ? 'menu-item is-active' : 'menu-item'}
        role="option"
        aria-selected={active}
        onPointerMove={onPoint}
        onClick={onRun}
      >
        <Icon of={entry.icon} />
        <span className="grow cut">{entry.name}</span>
        {entry.keys && <kbd>{keysText(entry.keys)}</kbd>}
      </div>
    </>
  );
}
