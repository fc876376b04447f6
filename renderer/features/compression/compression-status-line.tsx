import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Attempt, AttemptOutcome } from '../../../shared/model/compression';
import { Icon } from '../../components/icon';
import { IconClose, IconDone, IconFold, IconUndo, IconWaits, IconWarning } from '../../components/icons';
import { formatClock, formatTime } from '../../i18n/format';
import { useNow } from '../../stores/clock';
import { useIsRolledBack } from '../../stores/rolled-back-store';
import { useSession } from '../../stores/session-store';
import { type EndedWords, endedWords } from './ended-words';
import { phaseWords } from './phase-words';
import { useBar } from './use-bar';

const icons: Record<EndedWords['look'], { readonly icon: LucideIcon; readonly tone: string }> = {
  success: { icon: IconDone, tone: 'ok' },
  waits: { icon: IconWaits, tone: 'acc' },
  warning: { icon: IconWarning, tone: 'warn' },
  calm: { icon: IconClose, tone: '' },
};

/** The card's truth as one line under the dock: the same words, the same clock. It is not announced: it ticks. */
export function CompressionStatusLine({ attempt }: { readonly attempt: Attempt }) {
  return attempt.outcome === null ? (
    <Running attempt={attempt} />
  ) : (
    <Ended attempt={attempt} outcome={attempt.outcome} />
  );
}

function Running({ attempt }: { readonly attempt: Attempt }) {
  const { t } = useTranslation();
  const bar = useBar(attempt);
  const clock = formatClock(useNow() - attempt.startedAt);
  const phase = phaseWords(t, attempt, bar.again).title;
  return (
    <>
      <Icon of={attempt.elsewhere ? IconWaits : IconFold} size={14} className="acc" />
      <span className="t2 cut">
        {attempt.elsewhere
          ? t('compression.status.elsewhere', { phase, clock })
          : t('compression.status.running', { phase: lowered(phase), clock })}
      </span>
    </>
  );
}

function Ended({ attempt, outcome }: { readonly attempt: Attempt; readonly outcome: AttemptOutcome }) {
  const { t } = useTranslation();
  const waits = useSession((state) => state.proposal !== null);
  const words = endedWords(t, attempt, outcome, waits);
  const rolledBack = useIsRolledBack(attempt);
  const { icon, tone } = rolledBack ? { icon: IconUndo, tone: '' } : icons[words.look];
  const time = formatTime(attempt.endedAt ?? attempt.startedAt);
  const { tokensShown: shown, tokensAfter: after } = attempt;
  const gain = shown !== null && after !== null ? shown - after : null;
  return (
    <>
      <Icon of={icon} size={14} className={tone} />
      <span className="cut">{said()}</span>
    </>
  );

  function said(): string {
    if (outcome.kind !== 'committed') {
      return t('compression.status.ended', { time, what: words.title, detail: words.detail });
    }
    if (rolledBack) return t('compression.status.rolledBack', { time });
    if (gain !== null && gain > 0) return t('compression.status.gained', { time, gain });
    return t('compression.status.committed', { time });
  }
}

/** A title inside a sentence: only its first letter is lowered, so that a model's name keeps its own. */
function lowered(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}
