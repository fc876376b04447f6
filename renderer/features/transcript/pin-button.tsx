import { useTranslation } from 'react-i18next';
import { useShallow } from 'zustand/react/shallow';
import type { Message } from '../../../shared/model/message';
import { IconButton } from '../../components/icon-button';
import { IconPin, IconUnpin } from '../../components/icons';
import { messageAt } from '../../stores/message-window';
import { pin, unpin } from '../../stores/pin-actions';
import { type SessionState, sessionStore, useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';

/** Pins a message whole, or takes all its pins away. An answer that was continued is one here too. */
export function PinButton({ message, small = false }: { readonly message: Message; readonly small?: boolean }) {
  const { t } = useTranslation();
  const pins = useSession(
    useShallow((state) => {
      const from = firstPart(state, message);
      return state.pins.filter(({ seq }) => seq >= from && seq <= message.seq);
    }),
  );
  const whole = pins.some((one) => one.excerpt === null);
  return (
    <IconButton
      small={small}
      icon={whole ? IconUnpin : IconPin}
      label={t(whole ? 'transcript.pin.remove' : 'transcript.pin.add')}
      on={whole}
      onClick={() => void told(whole ? unpin(pins) : pinParts(message))}
    />
  );
}

/** Number of the message with which an answer begins. */
function firstPart({ window }: SessionState, message: Message): number {
  let { seq } = message;
  if (message.role === 'assistant') while (messageAt(window, seq - 1)?.role === 'assistant') seq--;
  return seq;
}

async function pinParts(last: Message): Promise<void> {
  const state = sessionStore.getState();
  for (let seq = firstPart(state, last); seq <= last.seq; seq++) {
    const part = messageAt(state.window, seq);
    if (part) await pin(part, null);
  }
}
