import './find-bar.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchHit } from '../../../shared/model/session';
import { request } from '../../bridge/request';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon-button';
import { IconClose, IconDown, IconSearch, IconUp } from '../../components/icons';
import { jumpStore } from '../../stores/jump-store';
import { layoutStore } from '../../stores/layout-store';
import { useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';

const REST_MS = 120;
const LIMIT = 100;

/** Finds words in the open chat, in its originals, and goes from one message that holds them to the next. */
export function FindBar() {
  const { t } = useTranslation();
  const sessionId = useSession((state) => state.sessionId);
  const [query, setQuery] = useState('');
  const [hits, setHits] = useState<readonly SearchHit[] | null>(null);
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const words = query.trim();
    setHits(null);
    if (words === '' || sessionId === null) return;
    let current = true;
    const search = async () => {
      const found = await request('sessions.search', { query: words, sessionId, limit: LIMIT });
      if (!current) return;
      const ordered = [...found].sort((a, b) => b.seq - a.seq);
      setHits(ordered);
      setAt(0);
      if (ordered[0]) jumpStore.getState().messageWanted(ordered[0].seq, null);
    };
    const timer = setTimeout(() => void told(search()), REST_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query, sessionId]);
  const go = (by: 1 | -1) => {
    if (!hits || hits.length === 0) return;
    const next = (at + by + hits.length) % hits.length;
    setAt(next);
    const hit = hits[next];
    if (hit) jumpStore.getState().messageWanted(hit.seq, null);
  };
  const close = () => layoutStore.getState().findingChanged(false);
  const keyed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="find" aria-label={t('transcript.find.label')}>
      <Icon of={IconSearch} />
      <input
        ref={field}
        value={query}
        aria-label={t('transcript.find.label')}
        placeholder={t('transcript.find.label')}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={keyed}
      />
      <span className="find-place num" role="status">
        {hits &&
          (hits.length === 0
            ? t('transcript.find.none')
            : t('transcript.find.place', { index: at + 1, count: hits.length }))}
      </span>
      <IconButton
        small
        icon={IconUp}
        label={t('transcript.find.next')}
        disabled={!hits?.length}
        onClick={() => go(1)}
      />
      <IconButton
        small
        icon={IconDown}
        label={t('transcript.find.previous')}
        disabled={!hits?.length}
        onClick={() => go(-1)}
      />
      <IconButton small icon={IconClose} label={t('transcript.find.close')} onClick={close} />
    </search>
  );
}
