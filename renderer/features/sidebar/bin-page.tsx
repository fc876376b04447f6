import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionId } from '../../../shared/model/ids';
import type { SessionRow } from '../../../shared/model/session';
import { asAppError, request } from '../../bridge/request';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { ErrorLine } from '../../components/error-line';
import { IconRestore } from '../../components/icons';
import { formatDay } from '../../i18n/format';
import { appStore, useApp } from '../../stores/app-store';
import { titleOf } from '../../stores/session-actions';
import { toastStore, told } from '../../stores/toast-store';

type BinState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly rows: readonly SessionRow[]; readonly next: number | null }
  | { readonly kind: 'failed'; readonly error: ReturnType<typeof asAppError> };

/** Chats that were moved to the bin, with the way back and the way out. */
export function BinPage() {
  const { t } = useTranslation();
  const { state, more, gone } = useBin();
  const [asking, setAsking] = useState(false);
  const known = useApp((app) => app.rows);
  // One may have been brought back since they were read. Not every chat's row is known here.
  const rows = state.kind === 'read' ? state.rows.filter((row) => known[row.id]?.deletedAt !== null) : [];
  const isLong = state.kind === 'read' && state.next !== null;
  const hasAny = rows.length > 0 || isLong;
  return (
    <div className="page bin">
      {state.kind === 'failed' && <ErrorLine error={state.error} />}
      {state.kind === 'read' && !hasAny && (
        <div className="nothing">
          <p className="strong">{t('sidebar.binPage.empty')}</p>
          <p className="t2">{t('sidebar.binPage.emptyHint')}</p>
        </div>
      )}
      {hasAny && (
        <>
          <div className="bin-head">
            <p className="intro grow">{t('sidebar.binPage.intro')}</p>
            <Button look="danger" onClick={() => setAsking(true)}>
              {t('sidebar.binPage.emptyBin')}
            </Button>
          </div>
          <ul className="lines">
            {rows.map((row) => (
              <li key={row.id}>
                <span className="grow cut">{titleOf(row.title)}</span>
                <span className="t3 num">{t('sidebar.binPage.messages', { count: row.messages })}</span>
                <span className="t3 num bin-date">
                  {row.deletedAt !== null &&
                    t('sidebar.binPage.deleted', { date: formatDay(row.deletedAt, Date.now()) })}
                </span>
                <Button icon={IconRestore} onClick={() => void told(restore(row.id))}>
                  {t('sidebar.binPage.restore')}
                </Button>
              </li>
            ))}
          </ul>
          {isLong && <Button onClick={more}>{t('app.more')}</Button>}
        </>
      )}
      {asking && (
        <Dialog
          title={t('sidebar.binPage.confirmTitle')}
          description={
            isLong ? t('sidebar.binPage.confirmAll') : t('sidebar.binPage.confirmText', { count: rows.length })
          }
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button onClick={() => setAsking(false)}>{t('app.cancel')}</Button>
              <Button look="danger" onClick={() => void told(empty())}>
                {t('sidebar.binPage.confirm')}
              </Button>
            </>
          }
        />
      )}
    </div>
  );

  async function restore(sessionId: SessionId): Promise<void> {
    await request('sessions.restore', { sessionId });
    goneFromHere((id) => id === sessionId);
  }

  async function empty(): Promise<void> {
    await request('sessions.emptyBin', {});
    setAsking(false);
    goneFromHere(() => true);
  }

  function goneFromHere(which: (id: SessionId) => boolean): void {
    gone(which);
    toastStore.getState().settled(which);
  }
}

function useBin() {
  const [state, setState] = useState<BinState>({ kind: 'reading' });
  const read = async (before: number | null, known: readonly SessionRow[]) => {
    try {
      const page = await request('sessions.list', { before, limit: 200, bin: true });
      setState({ kind: 'read', rows: [...known, ...page.rows], next: page.next });
    } catch (thrown) {
      setState({ kind: 'failed', error: asAppError(thrown) });
    }
  };
  useEffect(() => {
    void read(null, []);
    // A chat may be moved here while the page is open, by its row at the left.
    return appStore.subscribe((now, before) => {
      if (now.order.length < before.order.length) void read(null, []);
    });
  }, []);
  return {
    state,
    more: () => state.kind === 'read' && void read(state.next, state.rows),
    gone: (which: (id: SessionId) => boolean) =>
      setState((before) =>
        before.kind === 'read' ? { ...before, rows: before.rows.filter((row) => !which(row.id)) } : before,
      ),
  };
}
