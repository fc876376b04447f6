import type { LucideIcon } from 'lucide-react';
import { Icon } from '../../components/icon';
import {
  IconCut,
  IconEmbedded,
  IconFold,
  IconMemory,
  IconOffline,
  IconPause,
  IconRefused,
  IconWaits,
  IconWarning,
} from '../../components/icons';
import type { NoticeWords } from './notice-words';

const icons: Record<NoticeWords['icon'], LucideIcon> = {
  waits: IconWaits,
  pause: IconPause,
  stop: IconRefused,
  warning: IconWarning,
  offline: IconOffline,
  cut: IconCut,
  fold: IconFold,
  memory: IconMemory,
  model: IconEmbedded,
};

const tones: Record<NoticeWords['tone'], string> = { accent: 'acc', warning: 'warn', danger: 'bad', calm: 't2' };

/** The tone is on the icon alone: a notice never fills its row. */
export function NoticeIcon({ icon, tone }: Pick<NoticeWords, 'icon' | 'tone'>) {
  return <Icon of={icons[icon]} className={tones[tone]} />;
}
