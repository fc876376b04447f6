import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/icon-button';
import { IconNewChat, IconOpenOut, IconPin, IconUnpin } from '../../components/icons';
import { useQuick } from './quick-state';

export interface QuickHeadProps {
  /** The newest question; null = nothing was asked yet. */
  readonly question: string | null;
  readonly onAnew: () => void;
  readonly onMove: () => void;
  readonly onPin: (pinned: boolean) => void;
  /** Names of the modifier key on this system: "⌘" or "Ctrl ". */
  readonly modifier: string;
}

/** The question, and what can be done with the window. It is dragged by this. */
export function QuickHead({ question, onAnew, onMove, onPin, modifier }: QuickHeadProps) {
  const { t } = useTranslation();
  const pinned = useQuick((state) => state.pinned);
  return (
    <header className="quick-head">
      <h1 className={question === null ? 'quick-question t3' : 'quick-question'}>{question ?? t('quickChat.title')}</h1>
      <div className="quick-acts">
        {question !== null && (
          <>
            <IconButton icon={IconNewChat} label={t('quickChat.fresh')} keys={`${modifier}N`} onClick={onAnew} />
            <IconButton icon={IconOpenOut} label={t('quickChat.move')} keys={`${modifier}O`} onClick={onMove} />
          </>
        )}
        <IconButton
          icon={pinned ? IconUnpin : IconPin}
          label={t(pinned ? 'quickChat.unpin' : 'quickChat.pin')}
          on={pinned}
          aria-pressed={pinned}
          onClick={() => onPin(!pinned)}
        />
      </div>
    </header>
  );
}
