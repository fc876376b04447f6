import { useTranslation } from 'react-i18next';
import { Icon } from './icon';
import { IconSend, IconStop } from './icons';
import { Tip } from './tooltip';
import './send-button.css';

/** The four looks of the send button; each is also what Enter or a click does. */
export type SendLook = 'nothing' | 'ready' | 'adds' | 'stop';

const classes: Record<SendLook, string> = {
  nothing: 'send idle',
  ready: 'send',
  adds: 'send queue',
  stop: 'send stop',
};

export interface SendButtonProps {
  readonly look: SendLook;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

export function SendButton({ look, onSend, onStop }: SendButtonProps) {
  const { t } = useTranslation();
  const label = t(`composer.send.${look}`);
  return (
    <Tip text={label} {...(look === 'stop' ? { keys: 'Esc' } : { keys: '↵' })}>
      <button
        type="button"
        className={classes[look]}
        data-look={look}
        aria-label={label}
        aria-disabled={look === 'nothing'}
        onClick={() => {
          if (look === 'stop') onStop();
          else if (look !== 'nothing') onSend();
        }}
      >
        <Icon of={look === 'stop' ? IconStop : IconSend} className={look === 'stop' ? 'send-stop-sign' : ''} />
      </button>
    </Tip>
  );
}
