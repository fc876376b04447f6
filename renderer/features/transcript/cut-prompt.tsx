import { useTranslation } from 'react-i18next';
import type { Message, Usage } from '../../../shared/model/message';
import { Button } from '../../components/button';
import { Icon } from '../../components/icon';
import { IconCut } from '../../components/icons';
import { isBusy, useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
import { answerAgain } from './branch-actions';

/** Under an answer whose server read only a part of what was sent: the next try is made to fit. */
export function CutPrompt({ message }: { readonly message: Message & { readonly usage: Usage } }) {
  const { t } = useTranslation();
  const busy = useSession(isBusy);
  const { promptTokens, cutFrom } = message.usage;
  return (
    <div className="partial">
      <Icon of={IconCut} className="warn" />
      <span>{t('transcript.cutPrompt', { read: promptTokens ?? 0, sent: cutFrom ?? 0 })}</span>
      <Button disabled={busy} onClick={() => void told(answerAgain(message.seq))}>
        {t('transcript.again')}
      </Button>
    </div>
  );
}
