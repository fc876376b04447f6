import { useTranslation } from 'react-i18next';
import type { Activity } from '../../../shared/model/session';
import { Icon } from '../../components/icon';
import { IconFold, IconWaits } from '../../components/icons';

/** What a chat is doing, at the end of its row. Each mark has its word, to be read or heard. */
export function RowMark({ activity }: { readonly activity: Activity }) {
  const { t } = useTranslation();
  switch (activity.kind) {
    case 'idle':
      return null;
    case 'answering':
      return (
        <span className="mark">
          <span className="dot acc" />
          <span className="sr">{t('sidebar.row.answering')}</span>
        </span>
      );
    case 'compressing': {
      const { done, of } = activity;
      return (
        <span className="mark">
          <Icon of={IconFold} size={12} />
          {of > 0 && <span aria-hidden="true">{t('sidebar.row.compressing', { done, of })}</span>}
          <span className="sr">{t('sidebar.row.compressingLong', { done, of })}</span>
        </span>
      );
    }
    case 'waiting':
      return (
        <span className="mark warn">
          <Icon of={IconWaits} size={12} />
          {t('sidebar.row.waits')}
        </span>
      );
  }
}
