import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EarlierSummary } from '../../../shared/model/compression';
import type { BranchId, SessionId } from '../../../shared/model/ids';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { RollBackAsk } from '../../components/roll-back-ask';
import { useAsk } from '../../components/use-ask';
import { formatTime } from '../../i18n/format';
import { foldStore } from '../../stores/fold-store';
import { jumpStore } from '../../stores/jump-store';
import { putBack, rollBackTo } from '../../stores/rolled-back-store';
import { useSession } from '../../stores/session-store';

interface SummaryListProps {
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
}

/** Every summary of the path, newest first: the used ones, those that newer ones contain, those rolled back. */
export function SummaryList({ sessionId, branchId }: SummaryListProps) {
  const { t } = useTranslation();
  const records = useRecords(sessionId, branchId);
  if (records.length === 0) return null;
  return (
    <section aria-label={t('context.summaries.title')}>
      <h3>{t('context.summaries.title')}</h3>
      <ul className="summaries">
        {records.map((record) => (
          <Row key={record.id} record={record} sessionId={sessionId} />
        ))}
      </ul>
    </section>
  );
}

function Row({ record, sessionId }: { readonly record: EarlierSummary; readonly sessionId: SessionId }) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const range = { from: record.coversFrom, to: record.coversTo };
  const by = record.strategy === null ? 'edited' : record.strategy;
  return (
    <li>
      <span className="when">{formatTime(record.createdAt)}</span>
      <span className="grow cut">
        {t('context.summaries.covers', { ...range, by: t(`context.summaries.by.${by}`) })}
      </span>
      {record.place === 'shown' && (
        <Button
          look="plain"
          aria-label={t('context.summaries.show', range)}
          onClick={() => {
            foldStore.getState().foldOpened(record.id);
            jumpStore.getState().foldWanted(record.coversTo);
          }}
        >
          {t('context.summaries.used')}
        </Button>
      )}
      {record.place === 'contained' && (
        <RollBackAsk
          summaryId={record.id}
          how="roll-back"
          trigger={
            <Button look="plain" aria-label={t('context.summaries.rollBackTo', range)}>
              {t('context.summaries.rollBack')}
            </Button>
          }
          doIt={t('compression.fold.rollBack')}
          onDo={() => rollBackTo(record.id)}
        />
      )}
      {record.place === 'undone' && (
        <Button
          look="plain"
          aria-label={t('context.summaries.useAgainOf', range)}
          onClick={() => void ask(() => putBack(sessionId, [record.id]))}
        >
          {t('context.summaries.useAgain')}
        </Button>
      )}
      {problem && <ErrorLine error={problem} />}
    </li>
  );
}

const none: readonly EarlierSummary[] = [];

/** Read when the panel opens and again when what is used changes; what was read last stays meanwhile. */
function useRecords(sessionId: SessionId, branchId: BranchId): readonly EarlierSummary[] {
  const summaries = useSession((state) => state.summaries);
  const [read, setRead] = useState<{ readonly of: BranchId; readonly records: readonly EarlierSummary[] } | null>(null);
  useEffect(() => {
    let wanted = true;
    request('compression.summaries', { sessionId, branchId }).then(
      (records) => wanted && setRead({ of: branchId, records }),
      () => undefined, // the list stays as it was; the panel's other parts do not need it
    );
    return () => {
      wanted = false;
    };
  }, [sessionId, branchId, summaries]);
  return read?.of === branchId ? read.records : none;
}
