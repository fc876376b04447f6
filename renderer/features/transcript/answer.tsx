import { useTranslation } from 'react-i18next';
import type { Message, Usage } from '../../../shared/model/message';
import { IconButton } from '../../components/icon-button';
import { IconAgain, IconCopy, IconDone } from '../../components/icons';
import { useCopied } from '../../components/markdown/copy-button';
import { Markdown } from '../../components/markdown/markdown';
import { formatSeconds } from '../../i18n/format';
import { isBusy, useMessage, useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
import { answerAgain } from './branch-actions';
import { BranchSwitcher } from './branch-switcher';
import { CutPrompt } from './cut-prompt';
import { MarginNote } from './margin-note';
import { MessageMenu } from './message-menu';
import { PartialMark } from './partial-mark';
import { PinButton } from './pin-button';

export interface AnswerProps {
  readonly message: Message;
  readonly covered: boolean;
  readonly isLast: boolean;
}

/** An answer stands on the page without a block. A continued one, and one that calls tools, is shown as one with its rest. */
export function Answer({ message, covered, isLast }: AnswerProps) {
  const { t } = useTranslation();
  const goesOn = isAnswer(useMessage(message.seq + 1)) || message.calls.length > 0;
  const goesOnFrom = isAnswer(useMessage(message.seq - 1));
  const grows = message.status === 'streaming';
  return (
    <>
      {!goesOnFrom && <h2 className="sr">{t('transcript.answer')}</h2>}
      {(message.text !== '' || grows) && (
        <div className={grows ? 'prose is-growing' : 'prose'} aria-busy={grows}>
          <Markdown text={message.text} grows={grows} />
        </div>
      )}
      {message.usage?.cutFrom !== undefined && <CutPrompt message={{ ...message, usage: message.usage }} />}
      {message.status === 'partial' && !goesOn && <PartialMark message={message} isLast={isLast} />}
      {message.status === 'complete' && !goesOn && <AnswerActions message={message} isLast={isLast} />}
      {!goesOnFrom && <MarginNote seq={message.seq} at={message.createdAt} covered={covered} />}
    </>
  );
}

const isAnswer = (message: Message | undefined) => message !== undefined && message.role !== 'user';

function AnswerActions({ message, isLast }: { readonly message: Message; readonly isLast: boolean }) {
  const { t } = useTranslation();
  const busy = useSession(isBusy);
  const [copied, copy] = useCopied();
  // The newest answer keeps its row in sight, also while the next question stands below it.
  const isNewest = useSession((state) => state.lastSeq - message.seq <= 1);
  const several = message.siblings !== null && message.siblings.branches.length > 1;
  return (
    <div className={isLast || isNewest ? 'acts is-shown' : 'acts'}>
      <IconButton
        icon={copied ? IconDone : IconCopy}
        label={copied ? t('app.copied') : t('transcript.copy')}
        onClick={() => copy(message.text)}
      />
      <PinButton message={message} />
      <IconButton
        icon={IconAgain}
        label={t('transcript.again')}
        disabled={busy}
        onClick={() => void told(answerAgain(message.seq))}
      />
      <MessageMenu seq={message.seq} />
      {several && message.siblings && (
        <>
          <span className="sep" />
          <BranchSwitcher siblings={message.siblings} seq={message.seq} />
        </>
      )}
      {message.usage && (
        <>
          <span className="sep" />
          <UsageWords usage={message.usage} />
        </>
      )}
    </div>
  );
}

function UsageWords({ usage }: { readonly usage: Usage }) {
  const { t } = useTranslation();
  const time = formatSeconds(usage.tookMs);
  return (
    <span className="meta num">
      {usage.outputTokens === null
        ? t('transcript.usageNoTokens', { model: usage.model, time })
        : t('transcript.usage', { model: usage.model, tokens: usage.outputTokens, time })}
    </span>
  );
}
