import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionId } from '../../../shared/model/ids';
import type { AttemptRecord } from '../../../shared/model/session';
import { request } from '../../bridge/request';
import { formatTime } from '../../i18n/format';
import { useSession } from '../../stores/session-store';
import { attemptWords, outcomeWords } from './attempt-words';

const none: readonly AttemptRecord[] = [];

/** Attempts of this session, newest first: when, why, how, and what came of it. */
export function AttemptList({ sessionId }: { readonly sessionId: SessionId }) {
  const { t } = useTranslation();
  const records = useAttempts(sessionId);
  return (
    <section aria-label={t('context.attempts')}>
      <h3>{t('context.attempts')}</h3>
      {records.length === 0 ? (
        <p className="panel-why">{t('context.noAttempts')}</p>
      ) : (
        <table className="tries">
          <tbody>
            {records.map((record) => {
              const outcome = outcomeWords(t, record);
              return (
                <tr key={record.id}>
                  <td>{formatTime(record.startedAt)}</td>
                  <td>{attemptWords(t, record)}</td>
                  <td className={outcome.tone}>{outcome.text}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Read when the panel opens and again when an attempt begins or ends; what was read last stays meanwhile. */
function useAttempts(sessionId: SessionId): readonly AttemptRecord[] {
  const attemptId = useSession((state) => state.attempt?.id ?? null);
  const ended = useSession((state) => state.attempt?.outcome != null);
  const [read, setRead] = useState<{ readonly of: SessionId; readonly records: readonly AttemptRecord[] } | null>(null);
  useEffect(() => {
    let wanted = true;
    request('compression.attempts', { sessionId }).then(
      (records) => wanted && setRead({ of: sessionId, records }),
      () => undefined, // the list stays as it was; the panel's other parts do not need it
    );
    return () => {
      wanted = false;
    };
  }, [sessionId, attemptId, ended]);
  return read?.of === sessionId ? read.records : none;
}
