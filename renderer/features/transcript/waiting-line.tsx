import { useTranslation } from 'react-i18next';
import { findProvider, modelOf, useApp } from '../../stores/app-store';
import { messageAt } from '../../stores/message-window';
import { useSession } from '../../stores/session-store';
import { RunningCalls } from './running-calls';

/** Between a sent message and the first word of its answer: says in words what is being waited for. */
export function WaitingLine() {
  const { t } = useTranslation();
  const state = useSession((session) => (session.turn?.elsewhere ? null : (session.turn?.state ?? null)));
  const answering = useSession((session) => messageAt(session.window, session.lastSeq)?.role === 'assistant');
  const sessionId = useSession((session) => session.sessionId);
  const modelRef = useApp((app) => modelOf(app, sessionId));
  const model = useApp(
    (app) => findProvider(app, modelRef?.providerId)?.models.find((one) => one.model === modelRef?.model)?.name,
  );
  if (state === 'tools') return <RunningCalls />;
  if (answering) return null;
  switch (state) {
    case 'queued':
    case 'preparing':
      return <p className="waiting">{t(`transcript.waiting.${state}`)}</p>;
    case 'requesting':
    case 'streaming':
      return (
        <p className="waiting">
          <span className="dot acc" />
          {model ? t('transcript.waiting.requesting', { model }) : t('transcript.waiting.requestingPlain')}
        </p>
      );
    // Compressing has its card, deferred its notice; the others have ended.
    default:
      return null;
  }
}
