import { Trans, useTranslation } from 'react-i18next';
import type { Attempt, AttemptOutcome, AttemptPhase, Summary } from '../../../shared/model/compression';
import { aftermathWords } from './ended-words';
import { isWordForWord, wordForWord } from './fold-words';
import { useRecovering } from './recover-ask';

const bold = { b: <b /> };

/** Phases in which the model works and the head does not name it. */
const namesModel: ReadonlySet<AttemptPhase> = new Set(['reading', 'writing']);

/** Numbers and reasons of a running attempt, in one or two lines of small text. */
export function RunningFacts({ attempt }: { readonly attempt: Attempt }) {
  const { t } = useTranslation();
  if (attempt.elsewhere) {
    return (
      <div className="facts">
        <span>{t(attempt.turnWaits ? 'compression.facts.saved' : 'compression.facts.otherWindow')}</span>
      </div>
    );
  }
  return (
    <div className="facts">
      <TokensRead attempt={attempt} />
      {attempt.tokensWritten > 0 && (
        <span>
          <Trans
            t={t}
            i18nKey="compression.facts.written"
            values={{ count: attempt.tokensWritten }}
            components={bold}
          />
        </span>
      )}
      {attempt.model !== null && attempt.noModel === null && namesModel.has(attempt.phase) && (
        <span>
          <Trans t={t} i18nKey="compression.facts.with" values={{ model: attempt.model }} components={bold} />
        </span>
      )}
      {attempt.noModel !== null && <span>{t(`compression.noModel.${attempt.noModel}`)}</span>}
    </div>
  );
}

function TokensRead({ attempt }: { readonly attempt: Attempt }) {
  const { t } = useTranslation();
  const all = attempt.tokensToRead;
  if (all === 0) return null;
  if (attempt.tokensRead === 0) return <span>{t('compression.facts.toRead', { all })}</span>;
  const values = { read: Math.min(all, attempt.tokensRead), all };
  return (
    <span>
      <Trans
        t={t}
        i18nKey={values.read === all ? 'compression.facts.readAll' : 'compression.facts.read'}
        values={values}
        components={bold}
      />
    </span>
  );
}

export interface EndedFactsProps {
  readonly attempt: Attempt;
  readonly outcome: AttemptOutcome;
  /** What was committed; undefined = nothing, or it is not here. */
  readonly summary: Summary | undefined;
}

/** The receipt, or what happens next; nothing where the head has said it all. */
export function EndedFacts({ attempt, outcome, summary }: EndedFactsProps) {
  const { t } = useTranslation();
  const receipt = summary?.receipt ?? null;
  const aftermath = aftermathWords(t, attempt, outcome, useRecovering());
  const committed = outcome.kind === 'committed' || outcome.kind === 'proposed';
  const all = receipt ? receipt.kept + receipt.restored + receipt.dropped : 0;
  const reason = committed && attempt.noModel !== null ? t(`compression.noModelDone.${attempt.noModel}`) : '';
  if (!aftermath && !reason && !(committed && all > 0)) return <div className="card-gap" />;
  return (
    <div className="facts">
      {committed && summary && receipt && all > 0 && isWordForWord(summary) && <span>{wordForWord(t, receipt)}</span>}
      {committed && summary && receipt && all > 0 && !isWordForWord(summary) && (
        <span>
          <Trans
            t={t}
            i18nKey={receipt.restored > 0 ? 'compression.ended.keptRestored' : 'compression.ended.kept'}
            values={{ kept: receipt.kept + receipt.restored, all, restored: receipt.restored }}
            components={bold}
          />
        </span>
      )}
      {committed && receipt?.aboveTarget && <span>{t('compression.ended.aboveTarget')}</span>}
      {reason && <span>{reason}</span>}
      {aftermath && <span>{aftermath}</span>}
    </div>
  );
}
