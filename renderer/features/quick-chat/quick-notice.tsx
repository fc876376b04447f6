import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../shared/model/turn';
import { request } from '../../bridge/request';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { ToolAsk } from '../../components/tool-ask';
import { useAsk } from '../../components/use-ask';
import { errorSentence } from '../../i18n/error-sentence';
import { messageAt } from '../../stores/message-window';
import { openCalls } from '../../stores/open-calls';
import { useSession } from '../../stores/session-store';

interface QuickWords {
  readonly text: string;
  readonly way: 'turns.continue' | 'turns.sendAgain' | null;
}

/** What the open turn does while no answer grows, or why there is none, with at most one way on. */
export function QuickNotice() {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const sessionId = useSession((state) => state.sessionId);
  const branchId = useSession((state) => state.branchId);
  const turn = useSession((state) => state.turn);
  const hasText = useSession((state) => messageAt(state.window, state.lastSeq)?.role === 'assistant');
  const question = useSession((state) => state.toolQuestion);
  if (sessionId === null || branchId === null || turn === null) return null;
  const call = question && openCalls().find(({ id }) => id === question.callId);
  if (call) return <ToolAsk call={call} question={question} />;
  const words = quickWords(t, turn, hasText);
  if (words === null) return null;
  const { way } = words;
  return (
    <div className="quick-state">
      <span role="status">{words.text}</span>
      {way && (
        <Button look="plain" onClick={() => void ask(() => request(way, { sessionId, branchId }))}>
          {t(way === 'turns.continue' ? 'quickChat.continue' : 'quickChat.sendAgain')}
        </Button>
      )}
      {problem && <ErrorLine error={problem} />}
    </div>
  );
}

/**
 * Words of a turn's state for the small window; null where the answer itself says it.
 * @param hasText true where an answer ends the path, with which can be gone on.
 */
export function quickWords(t: TFunction, turn: Turn, hasText: boolean): QuickWords | null {
  const way = hasText ? 'turns.continue' : 'turns.sendAgain';
  switch (turn.state) {
    case 'queued':
    case 'preparing':
    case 'requesting':
    case 'tools':
      return { text: t('quickChat.starting'), way: null };
    case 'compressing':
      return { text: t('quickChat.compressing'), way: null };
    case 'deferred':
      return { text: t('quickChat.waits'), way: null };
    case 'exhausted':
      return { text: t('quickChat.exhausted'), way: null };
    case 'stopped':
    case 'interrupted':
      return { text: hasText ? t(`quickChat.${turn.state}`) : t('quickChat.unanswered'), way };
    case 'failed':
      return { text: turn.reason?.state === 'failed' ? errorSentence(t, turn.reason) : t('quickChat.unanswered'), way };
    case 'streaming':
    case 'completed':
      return null;
  }
}
