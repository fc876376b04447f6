import { useTranslation } from 'react-i18next';
import type { Summary } from '../../../shared/model/compression';
import { Button } from '../../components/button';
import { IconEdit, IconUndo } from '../../components/icons';
import { RollBackAsk } from '../../components/roll-back-ask';
import { rollBack, rollBackTo } from '../../stores/rolled-back-store';
import { sessionStore } from '../../stores/session-store';
import { takeOutWords, writerWords } from './fold-words';
import { summaryEditStore } from './summary-edit-store';

/** What can be done with a summary, and who wrote it. */
export function FoldFoot({ summary }: { readonly summary: Summary }) {
  const { t } = useTranslation();
  const takeOut = takeOutWords(t, summary);
  return (
    <div className="foldfoot">
      <Button
        icon={IconEdit}
        aria-expanded={false}
        onClick={() => summaryEditStore.getState().editBegun(summary.id, summary.text)}
      >
        {t('compression.fold.edit')}
      </Button>
      <RollBackAsk
        summaryId={summary.id}
        how="undo"
        trigger={<Button icon={IconUndo}>{takeOut}</Button>}
        doIt={takeOut}
        onDo={async () => {
          const { sessionId } = sessionStore.getState();
          if (sessionId !== null) await rollBack(sessionId, summary);
        }}
      />
      {summary.newer > 0 && (
        <RollBackAsk
          summaryId={summary.id}
          how="roll-back"
          trigger={<Button>{t('compression.fold.rollBack')}</Button>}
          doIt={t('compression.fold.rollBack')}
          onDo={() => rollBackTo(summary.id)}
        />
      )}
      <span className="by">{writerWords(t, summary)}</span>
    </div>
  );
}
