import { memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionId } from '../../../shared/model/ids';
import { IconButton } from '../../components/icon-button';
import { IconBin, IconEdit, IconExport, IconMore, IconPin, IconUnpin } from '../../components/icons';
import { Menu, MenuItem, MenuLine } from '../../components/menu';
import { RenameField } from '../../components/rename-field';
import { formatDate, formatTime, formatWeekday } from '../../i18n/format';
import { useApp } from '../../stores/app-store';
import { openSession } from '../../stores/open-session';
import { binSession, exportSession, pinSession, renameSession, titleOf } from '../../stores/session-actions';
import { told } from '../../stores/toast-store';
import { focusWhenShown } from './focus-when-shown';
import type { TimeStyle } from './group-rows';
import { RowMark } from './row-mark';

export interface SessionRowProps {
  readonly id: SessionId;
  readonly time: TimeStyle;
  /** True for the one row that Tab reaches; arrow keys go to the others. */
  readonly tabbable: boolean;
  readonly renaming: boolean;
  readonly onRename: (id: SessionId | null) => void;
  /** Changes with each wish that this row takes the focus. */
  readonly moves: number;
  /** Answers true once for each such wish. */
  readonly claimFocus: (id: SessionId) => boolean;
}

/** A chat: its name and one trailing thing, which on hover and focus gives way to Pin and More. */
export const SessionRowLine = memo(function SessionRowLine({
  id,
  time,
  tabbable,
  renaming,
  onRename,
  moves,
  claimFocus,
}: SessionRowProps) {
  const { t } = useTranslation();
  const row = useApp((state) => state.rows[id]);
  const current = useApp((state) => state.currentId === id && state.page === 'chat');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (moves === 0 || !button.current || !claimFocus(id)) return;
    return focusWhenShown(button.current);
  }, [moves, claimFocus, id]);
  if (!row) return null;
  const title = titleOf(row.title);
  if (renaming) {
    return (
      <div className="sess is-renaming">
        <RenameField
          title={row.title}
          label={t('sidebar.row.renameField', { title })}
          onDone={(name) => {
            renameSession(id, name);
            onRename(null);
          }}
          onCancel={() => onRename(null)}
        />
      </div>
    );
  }
  const pinned = row.pinnedAt !== null;
  return (
    <div className={current ? 'sess is-current' : 'sess'}>
      <button
        ref={button}
        type="button"
        className="sess-open"
        data-session={id}
        tabIndex={tabbable ? 0 : -1}
        aria-current={current ? 'page' : undefined}
        onClick={() => void told(openSession(id, null))}
      >
        <span className="name">{title}</span>
        {row.activity.kind === 'idle' ? !current && <RowTime at={row.updatedAt} time={time} /> : null}
        <RowMark activity={row.activity} />
      </button>
      <span className="sess-acts">
        <IconButton
          small
          icon={pinned ? IconUnpin : IconPin}
          label={pinned ? t('sidebar.row.unpin') : t('sidebar.row.pin')}
          tabIndex={-1}
          onClick={() => pinSession(id, !pinned)}
        />
        <Menu
          align="end"
          trigger={<IconButton small icon={IconMore} label={t('sidebar.row.more', { title })} tabIndex={-1} />}
        >
          <MenuItem icon={IconEdit} keys="F2" onSelect={() => setTimeout(() => onRename(id))}>
            {t('sidebar.row.rename')}
          </MenuItem>
          <MenuItem icon={pinned ? IconUnpin : IconPin} onSelect={() => pinSession(id, !pinned)}>
            {pinned ? t('sidebar.row.unpin') : t('sidebar.row.pin')}
          </MenuItem>
          <MenuItem icon={IconExport} onSelect={() => void exportSession(id)}>
            {t('sidebar.row.export')}
          </MenuItem>
          <MenuLine />
          <MenuItem icon={IconBin} danger keys="Del" onSelect={() => void binSession(id)}>
            {t('sidebar.row.toBin')}
          </MenuItem>
        </Menu>
      </span>
    </div>
  );
});

function RowTime({ at, time }: { readonly at: number; readonly time: TimeStyle }) {
  switch (time) {
    case 'none':
      return null;
    case 'time':
      return <time>{formatTime(at)}</time>;
    case 'weekday':
      return <time>{formatWeekday(at)}</time>;
    case 'date':
      return <time>{formatDate(at, Date.now())}</time>;
  }
}
