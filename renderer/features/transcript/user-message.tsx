import { useTranslation } from 'react-i18next';
import type { Message } from '../../../shared/model/message';
import { IconButton } from '../../components/icon-button';
import { IconCopy, IconDone, IconEdit } from '../../components/icons';
import { useCopied } from '../../components/markdown/copy-button';
import { isBusy, useSession } from '../../stores/session-store';
import { BranchSwitcher } from './branch-switcher';
import { EditForm } from './edit-form';
import { editStore, useEdit } from './edit-store';
import { MarginNote } from './margin-note';
import { MessageFiles } from './message-files';
import { MessageMenu } from './message-menu';
import { PinButton } from './pin-button';
import { RecalledLine } from './recalled-line';
import { Unanswered } from './unanswered';
import { UserText } from './user-text';

interface UserMessageProps {
  readonly message: Message;
  readonly covered: boolean;
  readonly isLast: boolean;
}

/** A flat block with the user's own words. */
export function UserMessage({ message, covered, isLast }: UserMessageProps) {
  const { t } = useTranslation();
  const busy = useSession(isBusy);
  // every other end of a turn is told by a notice, with its own way on
  const stopped = useSession(({ turn }) => isLast && turn?.state === 'stopped' && turn.messageId === message.id);
  const editing = useEdit((state) => state.seq === message.seq);
  const [copied, copy] = useCopied();
  return (
    <>
      <h2 className="sr">{t('transcript.you')}</h2>
      {editing ? (
        <EditForm seq={message.seq} />
      ) : (
        <div className="user">
          <UserText text={message.text} />
          <MessageFiles files={message.files} />
          <div className="user-acts">
            <IconButton
              small
              icon={copied ? IconDone : IconCopy}
              label={copied ? t('app.copied') : t('transcript.copy')}
              onClick={() => copy(message.text)}
            />
            <PinButton small message={message} />
            <IconButton
              small
              icon={IconEdit}
              label={t('transcript.edit')}
              disabled={busy}
              onClick={() => editStore.getState().editBegun(message.seq, message.text)}
            />
            <MessageMenu small seq={message.seq} />
          </div>
        </div>
      )}
      <RecalledLine seq={message.seq} passages={message.recalled} />
      {stopped && <Unanswered way="sendAgain" />}
      {message.siblings && message.siblings.branches.length > 1 && (
        <div className="acts">
          <BranchSwitcher siblings={message.siblings} seq={message.seq} />
        </div>
      )}
      <MarginNote seq={message.seq} at={message.createdAt} covered={covered} />
    </>
  );
}
