import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../stores/app-store';
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
    const changed = [...now].find(([id, said]) => said !== '' && known.get(id) !== said);
    if (changed) setNews(changed[1]);
  }, [rows, t]);
  const said = useQuietly(news);
  return (
    <div className="sr" role="status" aria-live="polite">
      {said}
    </div>
  );
}
