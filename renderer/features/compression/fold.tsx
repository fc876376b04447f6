import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { Summary } from '../../../shared/model/compression';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { Icon } from '../../components/icon';
import { IconDown, IconFold, IconUndo, IconUp } from '../../components/icons';
import { useAsk } from '../../components/use-ask';
import { AnchorList, FoldReceipt } from './fold-receipt';
import { aboutWords, coveredCount, rolledBackWords, writerWords } from './fold-words';
import { countLines, FIRST_LINES, firstLines, shownSections } from './summary-lines';
import { SummaryText } from './summary-text';
import './fold.css';

export interface FoldProps {
  readonly summary: Summary;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Goes to a covered message. */
  readonly onSource: (seq: number) => void;
  /** Asks main to roll it back; a refusal is shown in the fold. */
  readonly onRollBack: (summary: Summary) => Promise<void>;
}

/** The line at a cutoff. Opened, it holds the summary with its sources, the receipt and the way back. */
export function Fold({ summary, open, onToggle, onSource, onRollBack }: FoldProps) {
  const { t } = useTranslation();
  return (
    <section
      className="fold"
      aria-label={t('compression.fold.label', { from: summary.coversFrom, to: summary.coversTo })}
    >
      <button type="button" className="foldline" aria-expanded={open} onClick={onToggle}>
        <Icon of={IconFold} />
        <FoldLineWords summary={summary} />
        <Icon of={open ? IconUp : IconDown} />
      </button>
      {open && <FoldBody summary={summary} onSource={onSource} onRollBack={onRollBack} />}
    </section>
  );
}

/** "212 messages, 41,300 → 1,120 tokens, 44 of 44 anchors kept". */
export function FoldLineWords({ summary }: { readonly summary: Summary }) {
  const { t } = useTranslation();
  const values = {
    messages: t('compression.fold.messages', { count: coveredCount(summary) }),
    before: summary.tokensBefore,
    after: summary.tokensAfter,
    about: aboutWords(t, summary),
  };
  return (
    <span className="grow cut">
      <Trans t={t} i18nKey="compression.fold.line" values={values} components={{ b: <b /> }} />
    </span>
  );
}

function FoldBody({ summary, onSource, onRollBack }: Pick<FoldProps, 'summary' | 'onSource' | 'onRollBack'>) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const [allShown, setAllShown] = useState(false);
  const [anchorsShown, setAnchorsShown] = useState(false);
  const sections = shownSections(summary);
  return (
    <div className="foldbody">
      <SummaryText sections={allShown ? sections : firstLines(sections, FIRST_LINES)} onSource={onSource} />
      <FoldReceipt
        summary={summary}
        lines={countLines(sections)}
        firstLines={FIRST_LINES}
        allShown={allShown}
        anchorsShown={anchorsShown}
        onAllLines={() => setAllShown(!allShown)}
        onAnchors={() => setAnchorsShown(!anchorsShown)}
      />
      {anchorsShown && summary.receipt && (
        <AnchorList summary={summary} receipt={summary.receipt} onSource={onSource} />
      )}
      <div className="foldfoot">
        <Button icon={IconUndo} onClick={() => void ask(() => onRollBack(summary))}>
          {t('compression.fold.rollBack')}
        </Button>
        <span className="by">{writerWords(t, summary)}</span>
      </div>
      {problem && (
        <div className="receipt-more">
          <ErrorLine error={problem} />
        </div>
      )}
    </div>
  );
}

export interface RolledBackProps {
  readonly summary: Summary;
  /** The summaries that are used now. */
  readonly used: readonly Summary[];
  /** Asks main to use it again. */
  readonly onUndo: (summary: Summary) => Promise<void>;
}

/** What stands in the place of a fold that was rolled back: one plain sentence with Undo. */
export function RolledBack({ summary, used, onUndo }: RolledBackProps) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  return (
    <div className="folded-back" role="status">
      <Icon of={IconUndo} size={14} />
      <span>{rolledBackWords(t, summary, used)}</span>
      <Button look="plain" onClick={() => void ask(() => onUndo(summary))}>
        {t('compression.fold.undo')}
      </Button>
      {problem && <ErrorLine error={problem} />}
    </div>
  );
}
