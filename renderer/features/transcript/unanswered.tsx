import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button';
import { Icon } from '../../components/icon';
import { IconCut, IconResume } from '../../components/icons';
import { isBusy, useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
import { sendAgain } from './branch-actions';

/** Under the end of a path that waits for an answer which nothing brings by itself. */
export function Unanswered({ way }: { readonly way: 'goOn' | 'sendAgain' }) {
  const { t } = useTranslation();
  const busy = useSession(isBusy);
  return busy ? null : (
    <div className="partial">
      <Icon of={IconCut} className="warn" />
      <span>{t('transcript.unanswered')}</span>
      <Button icon={IconResume} onClick={() => void told(sendAgain())}>
        {t(`transcript.${way}`)}
      </Button>
    </div>
  );
}
