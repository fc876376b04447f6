import { useTranslation } from 'react-i18next';
import { useShallow } from 'zustand/react/shallow';
import { Icon } from '../../components/icon';
import { IconPin } from '../../components/icons';
import { formatTime } from '../../i18n/format';
import { useSession } from '../../stores/session-store';

export interface MarginNoteProps {
  readonly seq: number;
  readonly at: number;
  /** Covered messages show their number only. */
  readonly covered: boolean;
}

/** Number and time beside a message, and whether it is pinned; the number is what summaries link to. */
export function MarginNote({ seq, at, covered }: MarginNoteProps) {
  return (
    <div className="margin">
      <b>{seq}</b>
      {!covered && <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>}
      <PinMark seq={seq} />
    </div>
  );
}

function PinMark({ seq }: { readonly seq: number }) {
  const { t } = useTranslation();
  const pins = useSession(useShallow((state) => state.pins.filter((one) => one.seq === seq)));
  if (pins.length === 0) return null;
  const words = pins.some((one) => one.excerpt === null) ? t('transcript.pin.mark') : t('transcript.pin.markPart');
  return (
    <span className="pin-mark">
      <Icon of={IconPin} />
      {words}
    </span>
  );
}
