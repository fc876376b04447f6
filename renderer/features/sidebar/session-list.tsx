import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { SessionId } from '../../../shared/model/ids';
import { useApp } from '../../stores/app-store';
import { binSession, moreSessions } from '../../stores/session-actions';
import { type GroupLabel, groupRows } from './group-rows';
import { SessionRowLine } from './session-row';
import { useToday } from './use-today';

/** Height of a row and of a group's label, in CSS pixels. */
const ROW = 32;
/** Rows before the end at which the next page is read. */
const AHEAD = 40;

/** The chats by day. Arrow keys go through them, F2 renames, Delete moves to the bin; only visible rows are mounted. */
export function SessionList() {
  const { t } = useTranslation();
  const order = useApp((state) => state.order);
  const rows = useApp((state) => state.rows);
  const currentId = useApp((state) => state.currentId);
  const now = useToday();
  const items = useMemo(() => groupRows(order, rows, now), [order, rows, now]);
  const [focusId, setFocusId] = useState<SessionId | null>(null);
  const [moves, setMoves] = useState(0);
  const [renaming, setRenaming] = useState<SessionId | null>(null);
  const list = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLElement>(null);

  const tabbable = focusId !== null && rows[focusId] ? focusId : (currentId ?? order[0] ?? null);
  const focusAt = items.findIndex((item) => item.key === tabbable);

  const wanted = useRef<SessionId | null>(null);
  const focusRow = useCallback((id: SessionId) => {
    wanted.current = id;
    setFocusId(id);
    setMoves((before) => before + 1);
  }, []);
  /** A row that was off screen is mounted later: it takes the focus itself, once. */
  const claimFocus = useCallback((id: SessionId) => {
    if (wanted.current !== id) return false;
    wanted.current = null;
    return true;
  }, []);

  const step = (by: 1 | -1 | 'first' | 'last') => {
    let at = by === 'first' ? 0 : by === 'last' ? items.length - 1 : focusAt + by;
    const way = by === -1 || by === 'last' ? -1 : 1;
    while (items[at]?.kind === 'group') at += way;
    const item = items[at];
    if (item?.kind !== 'row') return;
    list.current?.scrollToIndex(at, { align: 'nearest' });
    focusRow(item.key);
  };

  const keyed = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.session === undefined) return;
    const id = event.target.dataset.session as SessionId;
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Home') step('first');
    else if (event.key === 'End') step('last');
    else if (event.key === 'F2') setRenaming(id);
    else if (event.key === 'Delete' || (event.key === 'Backspace' && event.metaKey)) {
      step(items[focusAt + 1] ? 1 : -1);
      void binSession(id);
    } else if (event.key === 'ArrowRight') {
      event.target.parentElement?.querySelector<HTMLElement>('.sess-acts button:last-child')?.focus();
    } else return;
    event.preventDefault();
  };

  const renamed = useCallback(
    (id: SessionId | null) => {
      if (id === null && renaming !== null) focusRow(renaming);
      setRenaming(id);
    },
    [renaming, focusRow],
  );

  const looked = () => {
    const element = scroller.current;
    if (element && element.scrollTop + element.clientHeight > element.scrollHeight - AHEAD * ROW) moreSessions();
  };

  return (
    <nav
      ref={scroller}
      className="sessions"
      aria-label={t('sidebar.label')}
      onKeyDown={keyed}
      onFocus={(event) => {
        const id = event.target instanceof HTMLElement ? event.target.dataset.session : undefined;
        if (id !== undefined) setFocusId(id as SessionId);
      }}
      onScroll={looked}
    >
      <Virtualizer
        ref={list}
        scrollRef={scroller}
        as="ul"
        item="li"
        itemSize={ROW}
        data={items}
        keepMounted={focusAt < 0 ? [] : [focusAt]}
      >
        {(item) =>
          item.kind === 'group' ? (
            <h2 key={item.key} className="group">
              <Label of={item.label} />
            </h2>
          ) : (
            <SessionRowLine
              key={item.key}
              id={item.key}
              time={item.time}
              tabbable={item.key === tabbable}
              renaming={item.key === renaming}
              onRename={renamed}
              moves={item.key === focusId ? moves : 0}
              claimFocus={claimFocus}
            />
          )
        }
      </Virtualizer>
    </nav>
  );
}

function Label({ of }: { readonly of: GroupLabel }) {
  const { t } = useTranslation();
  return <>{'name' in of ? t(`sidebar.group.${of.name}`) : of.month}</>;
}
