import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { Summary } from '../../../shared/model/compression';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { Icon } from '../../components/icon';
import { IconDown, IconFold, IconUndo, IconUp } from '../../components/icons';
import { useAsk } from '../../components/use-ask';
import { foldStore } from '../../stores/fold-store';
import { sessionStore } from '../../stores/session-store';
import { FoldFoot } from './fold-foot';
import { AnchorList, FoldReceipt } from './fold-receipt';
import { aboutWords, coveredCount, rolledBackWords } from './fold-words';
import { useSummaryEdit } from './summary-edit-store';
import { SummaryEditor } from './summary-editor';
import { countLines, FIRST_LINES, firstLines, shownSections } from './summary-lines';
import { SummaryText } from './summary-text';
import './fold.css';

export interface FoldProps {
  readonly summary: Summary;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Goes to a covered message. */
  readonly onSource: (seq: number) => void;
}

/** The line at a cutoff. Opened, it holds the summary with its sources, the receipt and what can be done with it. */
export function Fold({ summary, open, onToggle, onSource }: FoldProps) {
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
      {open && <FoldBody summary={summary} onSource={onSource} />}
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

function FoldBody({ summary, onSource }: Pick<FoldProps, 'summary' | 'onSource'>) {
  const { t } = useTranslation();
  const editing = useSummaryEdit((state) => state.id === summary.id);
  const [allShown, setAllShown] = useState(false);
  const [anchorsShown, setAnchorsShown] = useState(false);
  const sections = shownSections(summary);
  if (editing) {
    return (
      <div className="foldbody">
        <SummaryEditor
          label={t('compression.fold.editing.label', { from: summary.coversFrom, to: summary.coversTo })}
          stored={summary.text}
          saveWords={t('compression.fold.editing.save')}
          onSave={(text) => saveEdit(summary, text)}
        />
      </div>
    );
  }
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
      <FoldFoot summary={summary} />
    </div>
  );
}

/** The new text is a summary of its own in the same place: it is shown open, as the old one was. */
async function saveEdit(summary: Summary, text: string): Promise<void> {
  const { sessionId, branchId } = sessionStore.getState();
  if (sessionId === null || branchId === null) return;
  const id = await request('compression.edit', { sessionId, branchId, summaryId: summary.id, text });
  foldStore.getState().foldOpened(id);
}

export interface RolledBackProps {
  readonly summary: Summary;
  /** The summaries that are used now. */
  readonly used: readonly Summary[];
  /** Asks main to use it again. */
  readonly onUndo: () => Promise<void>;
}

/** What stands in the place of a fold that was rolled back: one plain sentence with Undo. */
export function RolledBack({ summary, used, onUndo }: RolledBackProps) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  return (
    <div className="folded-back" role="status">
      <Icon of={IconUndo} size={14} />
      <span>{rolledBackWords(t, summary, used)}</span>
      <Button look="plain" onClick={() => void ask(onUndo)}>
        {t('compression.fold.undo')}
      </Button>
      {problem && <ErrorLine error={problem} />}
    </div>
  );
}
