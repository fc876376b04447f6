import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchHit } from '../../../shared/model/session';
import { ErrorLine } from '../../components/error-line';
import { MarkedText } from '../../components/marked-text';
import { formatDay } from '../../i18n/format';
import { useApp } from '../../stores/app-store';
import { jumpStore } from '../../stores/jump-store';
import { layoutStore } from '../../stores/layout-store';
import { openSession } from '../../stores/open-session';
import { titleOf } from '../../stores/session-actions';
import { sessionStore } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
import { SEARCH_LIMIT, type SearchState } from './use-search';

/** What a search found, in the place of the chats. */
export function SearchResults({ state, onLeave }: { readonly state: SearchState; readonly onLeave: () => void }) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const rows = useApp((app) => app.rows);
  // Main left out the bin when it was asked; a chat may have been moved there since. Not every chat's row is known here.
  const hits =
    state.kind === 'found' ? state.hits.filter((hit) => (rows[hit.sessionId]?.deletedAt ?? null) === null) : [];
  const keyed = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const at = buttons.indexOf(event.target as HTMLElement);
    if (event.key === 'ArrowDown') buttons[at + 1]?.focus();
    else if (event.key === 'ArrowUp' && at > 0) buttons[at - 1]?.focus();
    else if (event.key === 'ArrowUp' || event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };
  return (
    <section className="sessions results" aria-label={t('sidebar.search.results')}>
      <p className="results-count" role="status">
        {words()}
      </p>
      {state.kind === 'failed' && <ErrorLine error={state.error} />}
      {state.kind === 'found' && (
        <ul ref={list} onKeyDown={keyed}>
          {hits.map((hit) => (
            <li key={`${hit.sessionId} ${hit.seq} ${hit.createdAt}`}>
              <Hit hit={hit} />
            </li>
          ))}
        </ul>
      )}
      {state.kind === 'found' && hits.length === 0 && <p className="results-hint">{t('sidebar.search.noneHint')}</p>}
    </section>
  );

  function words(): string {
    switch (state.kind) {
      case 'none':
      case 'failed':
        return '';
      case 'searching':
        return t('sidebar.search.searching');
      case 'found':
        if (hits.length === 0) return t('sidebar.search.none', { query: state.query });
        if (state.hits.length >= SEARCH_LIMIT) return t('sidebar.search.atLeast', { count: hits.length });
        return t('sidebar.search.count', { count: hits.length });
    }
  }
}

function Hit({ hit }: { readonly hit: SearchHit }) {
  const { t } = useTranslation();
  const title = useApp((app) => app.rows[hit.sessionId]?.title ?? hit.title);
  const who =
    hit.role === 'user'
      ? t('sidebar.search.you')
      : hit.role === 'assistant'
        ? t('sidebar.search.answer')
        : t('sidebar.search.tool');
  return (
    <button type="button" className="hit" onClick={() => void told(show(hit))}>
      <span className="hit-head">
        <b className="cut">{titleOf(title)}</b>
        <time>{formatDay(hit.createdAt, Date.now())}</time>
      </span>
      <span className="hit-text">
        <MarkedText text={hit.excerpt} marks={hit.marks} />
      </span>
      <span className="hit-foot num">
        {who} {hit.seq}
      </span>
    </button>
  );
}

async function show(hit: SearchHit): Promise<void> {
  layoutStore.getState().sidebarOverCalled(false);
  if (sessionStore.getState().sessionId !== hit.sessionId) await openSession(hit.sessionId, null);
  jumpStore.getState().messageWanted(hit.seq, null);
}
