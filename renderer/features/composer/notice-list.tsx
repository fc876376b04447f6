import { useTranslation } from 'react-i18next';
import type { SessionId } from '../../../shared/model/ids';
import type { Notice } from '../../../shared/model/notice';
import { NoticeRow } from './notice-row';
import './notices.css';

export interface NoticeListProps {
  readonly notices: readonly Notice[];
  readonly sessionId: SessionId;
  readonly onChooseModel: () => void;
}

/** The top rows of the dock, most pressing first: each stays as long as it is true. */
export function NoticeList({ notices, sessionId, onChooseModel }: NoticeListProps) {
  const { t } = useTranslation();
  if (notices.length === 0) return null;
  return (
    <section className="notices" aria-label={t('composer.notices.label')}>
      {notices.map((notice) => (
        <NoticeRow key={keyOf(notice)} notice={notice} sessionId={sessionId} onChooseModel={onChooseModel} />
      ))}
    </section>
  );
}

/** The same fact keeps its row, so that a new number in it is not announced as a new notice. */
function keyOf(notice: Notice): string {
  switch (notice.kind) {
    case 'window-learned':
    case 'answer-cut':
      return `${notice.kind} ${notice.id}`;
    case 'backoff':
      return `${notice.kind} ${notice.strategy}`;
    default:
      return notice.kind;
  }
}
