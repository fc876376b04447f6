import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Attempt } from '../../../shared/model/compression';
import type { SummaryId } from '../../../shared/model/ids';
import { ErrorLine } from '../../components/error-line';
import { useAsk } from '../../components/use-ask';
import { EndedCard } from './ended-card';
import { RecoverAsk } from './recover-ask';
import { RunningCard } from './running-card';
import './card.css';

export interface CompressionCardProps {
  readonly attempt: Attempt;
  /** Leads to the fold of the committed summary and opens it. Without it there is no such button. */
  readonly onShowSummary?: (id: SummaryId) => void;
}

/**
 * One attempt at the end of the transcript: what it does now, then its receipt or its reason. It shows only what
 * the attempt says, so it ends as running with the attempt, whatever ended that.
 */
export function CompressionCard({ attempt, onShowSummary }: CompressionCardProps) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  // kept here: what the card shows may pass on to the other window's attempt while one reads
  const [asking, setAsking] = useState<Attempt | null>(null);
  const onRecover = () => setAsking(attempt);
  return (
    <section className="card" aria-label={t('compression.card')}>
      {attempt.outcome === null ? (
        <RunningCard attempt={attempt} ask={ask} onRecover={onRecover} />
      ) : (
        <EndedCard
          attempt={attempt}
          outcome={attempt.outcome}
          ask={ask}
          onShowSummary={onShowSummary}
          onRecover={onRecover}
        />
      )}
      {problem && (
        <div className="facts">
          <ErrorLine error={problem} />
        </div>
      )}
      {asking && <RecoverAsk attempt={asking} onClose={() => setAsking(null)} />}
    </section>
  );
}
