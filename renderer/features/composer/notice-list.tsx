import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionId } from '../../../shared/model/ids';
import type { Notice } from '../../../shared/model/notice';
import { useNow } from '../../stores/clock';
import { isBusy, useSession } from '../../stores/session-store';
import { NoticeRow } from './notice-row';
import { type NoticeWords, noticeWords } from './notice-words';
import './notices.css';

export interface NoticeListProps {
  readonly notices: readonly Notice[];
  readonly sessionId: SessionId;
  readonly onChooseModel: () => void;
}

/** The top rows of the dock, most pressing first: each stays as long as it is true. */
export function NoticeList({ notices: told, sessionId, onChooseModel }: NoticeListProps) {
  const { t } = useTranslation();
  const notices = useStanding(told);
  const said = useNews(notices);
  return (
    <>
      {/* Always there: what appears together with its words is not read out. */}
      <div className="sr" role="status">
        {said}
      </div>
      {notices.length > 0 && (
        <section className="notices" aria-label={t('composer.notices.label')}>
          {notices.map((notice) => (
            <NoticeRow key={keyOf(notice)} notice={notice} sessionId={sessionId} onChooseModel={onChooseModel} />
          ))}
        </section>
      )}
    </>
  );
}

/** Without pauses that are over: main tells of causes, not of time that passes. */
function useStanding(notices: readonly Notice[]): readonly Notice[] {
  const now = useNow(notices.some((notice) => endOf(notice) !== null));
  return notices.filter((notice) => (endOf(notice) ?? Number.POSITIVE_INFINITY) > now);
}

/** Wall-clock milliseconds at which it is true no longer; null = time does not end it. */
function endOf(notice: Notice): number | null {
  return notice.kind === 'backoff' ? notice.until : null;
}

/** The words of the notices that came last. Each fact is said once, its countdown never. */
function useNews(notices: readonly Notice[]): string {
  const { t } = useTranslation();
  const waits = useSession((state) => isBusy(state) || state.outbox.length > 0);
  const all = notices.map((notice) => noticeWords(t, notice, waits));
  const reasons = all.map((words) => words.reason).join('\n');
  const known = useRef('');
  const [said, setSaid] = useState('');
  useEffect(() => {
    const before = known.current.split('\n');
    known.current = reasons;
    const news = all.filter((words) => !before.includes(words.reason));
    if (news.length > 0 || reasons === '') setSaid(news.map(plainSentence).join(' '));
  }, [reasons]); // the words of one reason may change their numbers, which is no news
  return said;
}

function plainSentence({ reason, consequence }: NoticeWords): string {
  return `${reason} ${consequence.replace(/<\/?n>/g, '')}`.trim();
}

/** The same fact keeps its row, so that a new number in it is not announced as a new notice. */
function keyOf(notice: Notice): string {
  switch (notice.kind) {
    case 'window-learned':
    case 'answer-cut':
      return `${notice.kind} ${notice.id}`;
    case 'backoff':
      return `${notice.kind} ${notice.strategy}`;
    case 'sendable': // what waited goes on in its own row
      return 'deferred';
    default:
      return notice.kind;
  }
}
