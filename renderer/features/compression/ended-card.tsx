import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Attempt, AttemptOutcome } from '../../../shared/model/compression';
import type { SummaryId } from '../../../shared/model/ids';
import { Button } from '../../components/button';
import { Icon } from '../../components/icon';
import { IconClose, IconSuccess, IconUndo, IconWaits, IconWarning } from '../../components/icons';
import type { Ask } from '../../components/use-ask';
import { formatClock } from '../../i18n/format';
import { rollBack, sendWhole, useIsRolledBack } from '../../stores/rolled-back-store';
import { useSession } from '../../stores/session-store';
import { allStrategies, cardActs } from './card-acts';
import { EndedFacts } from './card-facts';
import { ChunkBar } from './chunk-bar';
import { type EndedWords, endedWords } from './ended-words';
import { takeOutWords } from './fold-words';
import { useRecovering } from './recover-ask';
import { useBar } from './use-bar';

const icons: Record<EndedWords['look'], { readonly icon: LucideIcon; readonly tone: string }> = {
  success: { icon: IconSuccess, tone: 'ok' },
  waits: { icon: IconWaits, tone: '' },
  warning: { icon: IconWarning, tone: 'warn' },
  calm: { icon: IconClose, tone: 'mute' },
};

export interface EndedCardProps {
  readonly attempt: Attempt;
  readonly outcome: AttemptOutcome;
  readonly ask: Ask['ask'];
  readonly onShowSummary: ((id: SummaryId) => void) | undefined;
  readonly onRecover: () => void;
}

/** The card once the attempt has its outcome: the receipt, or the reason and what happens next. */
export function EndedCard({ attempt, outcome, ask, onShowSummary, onRecover }: EndedCardProps) {
  const { t } = useTranslation();
  const bar = useBar(attempt);
  const summaryId = outcome.kind === 'committed' ? outcome.summaryId : null;
  const summary = useSession((state) => state.summaries.find((each) => each.id === summaryId));
  const lines = useSession((state) => state.stubs.filter((each) => each.summaryId === summaryId).length);
  const rolledBack = useIsRolledBack(attempt);
  const waits = useSession((state) => state.proposal !== null);
  const recovering = useRecovering();
  const words: EndedWords = rolledBack
    ? { look: 'calm', title: t('compression.ended.rolledBack'), detail: '' }
    : endedWords(t, attempt, outcome, waits);
  const { icon, tone } = icons[words.look];
  return (
    <>
      <div className="card-head">
        <Icon of={rolledBack ? IconUndo : icon} className={tone} />
        <h2>{words.title}</h2>
        <span className="t2 cut">{words.detail}</span>
        {attempt.endedAt !== null && <span className="clock">{formatClock(attempt.endedAt - attempt.startedAt)}</span>}
      </div>
      {outcome.kind === 'failed' && attempt.chunks > 0 && <ChunkBar share={bar.share} chunks={attempt.chunks} />}
      {lines > 0 ? (
        <div className="facts">
          <span>{t('compression.ended.lines', { count: lines })}</span>
        </div>
      ) : (
        <EndedFacts attempt={attempt} outcome={outcome} summary={summary} />
      )}
      {lines > 0 && summaryId !== null && (
        <div className="card-foot line">
          <Button look="plain" onClick={() => void ask(() => sendWhole(attempt.sessionId, summaryId))}>
            {t('transcript.stub.whole', { count: lines })}
          </Button>
        </div>
      )}
      {summary && (
        <div className="card-foot line">
          {onShowSummary && <Button onClick={() => onShowSummary(summary.id)}>{t('compression.do.show')}</Button>}
          <Button look="plain" onClick={() => void ask(() => rollBack(attempt.sessionId, summary))}>
            {takeOutWords(t, summary)}
          </Button>
        </div>
      )}
      {heldByHand(attempt, outcome) && !recovering && (
        <div className="card-foot line">
          <Button onClick={() => void ask(() => cardActs.again(attempt))}>{t('compression.do.tryAgain')}</Button>
          <Button look="plain" onClick={onRecover}>
            {t('compression.recover.open')}
          </Button>
        </div>
      )}
      {outcome.kind === 'failed' && attempt.trigger !== 'accept' && (
        <div className="card-foot line">
          <Button onClick={() => void ask(() => cardActs.start(attempt, allStrategies))}>
            {t('compression.do.tryNow')}
          </Button>
          <Button look="plain" onClick={() => void ask(() => cardActs.start(attempt, ['extract']))}>
            {t('compression.do.extract')}
          </Button>
        </div>
      )}
    </>
  );
}

/** The user asked for it, and another window holds it. Accepting a proposal is asked for where that one stands. */
function heldByHand({ need, trigger }: Attempt, outcome: AttemptOutcome): boolean {
  const held = outcome.kind === 'deferred' && outcome.why.kind === 'lease-held';
  return held && need === 'manual' && trigger !== 'accept';
}
