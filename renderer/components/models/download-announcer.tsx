import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../stores/app-store';
import { toastStore } from '../../stores/toast-store';
import { useQuietly } from '../announcer';
import { saidOf } from './download-words';

/** Says what becomes of downloads, wherever the user is meanwhile: begin, quarters and ends, not every megabyte. */
export function DownloadAnnouncer() {
  const { t } = useTranslation();
  const rows = useApp((state) => state.catalogue);
  const before = useRef<ReadonlyMap<string, string> | null>(null);
  const [news, setNews] = useState('');
  useEffect(() => {
    const now = new Map(rows.map((row) => [row.id as string, saidOf(t, row)]));
    // what was already so when the window opened is not news
    const known = before.current;
    before.current = rows.length > 0 ? now : null;
    if (!known) return;
    const changed = rows.find(({ id }) => now.get(id) !== '' && known.get(id) !== now.get(id));
    const text = changed && now.get(changed.id);
    if (!changed || !text) return;
    // what ends while its user does something else is seen as well as heard
    const over = changed.download?.state === 'done' || changed.download?.state === 'failed';
    if (over) toastStore.getState().happened({ kind: 'done', text, undo: null });
    else setNews(text);
  }, [rows, t]);
  const said = useQuietly(news);
  return (
    <div className="sr" role="status" aria-live="polite">
      {said}
    </div>
  );
}
