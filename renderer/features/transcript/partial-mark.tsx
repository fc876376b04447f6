import { useTranslation } from 'react-i18next';
import type { Message } from '../../../shared/model/message';
import { Button } from '../../components/button';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon-button';
import { IconCopy, IconCut, IconDone, IconResume } from '../../components/icons';
import { useCopied } from '../../components/markdown/copy-button';
import { formatTime } from '../../i18n/format';
import { isBusy, useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
import { answerAgain, continueAnswer } from './branch-actions';
import { BranchSwitcher } from './branch-switcher';
import { PinButton } from './pin-button';

/** Under an answer that was cut: what happened, and the two ways on. */
export function PartialMark({ message, isLast }: { readonly message: Message; readonly isLast: boolean }) {
  const { t } = useTranslation();
  const busy = useSession(isBusy);
  const [copied, copy] = useCopied();
  const turn = useSession((state) => (state.turn?.id === message.turnId ? state.turn : null));
  const ended = turn?.endedAt ?? (message.usage ? message.createdAt + message.usage.tookMs : null);
  return (
    <div className="partial">
      <Icon of={IconCut} className="warn" />
      <span>{words()}</span>
      {isLast && (
        <Button icon={IconResume} disabled={busy} onClick={() => void told(continueAnswer())}>
          {t('transcript.continue')}
        </Button>
      )}
      <Button look="quiet" disabled={busy} onClick={() => void told(answerAgain(message.seq))}>
        {t('transcript.again')}
      </Button>
      <IconButton
        icon={copied ? IconDone : IconCopy}
        label={copied ? t('app.copied') : t('transcript.copy')}
        onClick={() => copy(message.text)}
      />
      <PinButton message={message} />
      {message.siblings && message.siblings.branches.length > 1 && (
        <BranchSwitcher siblings={message.siblings} seq={message.seq} />
      )}
    </div>
  );

  function words(): string {
    const time = ended === null ? null : formatTime(ended);
    if (turn?.state === 'stopped') return time ? t('transcript.stoppedAt', { time }) : t('transcript.notComplete');
    if (turn?.state === 'interrupted' && time) return t('transcript.interruptedAt', { time });
    return t('transcript.notComplete');
  }
}
