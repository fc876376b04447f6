import { type KeyboardEvent, useRef, useState } from 'react';
import type { SessionId } from '../../../shared/model/ids';
import { request } from '../../bridge/request';
import type { SendLook } from '../../components/send-button';
import { sendLook } from '../../components/send-look';
import { useAsk } from '../../components/use-ask';
import { messageAt } from '../../stores/message-window';
import { sessionStore, useSession } from '../../stores/session-store';
import { type HistoryPlace, historyOf, stepHistory } from './prompt-history';
import { sendMessage } from './send-message';
import { useDraft } from './use-draft';

/** How many loaded messages are looked through for earlier prompts. */
const HISTORY_REACH = 400;

/** The text of the field and everything keys and buttons do with it. */
export function useComposer() {
  const sessionId = useSession((state) => state.sessionId);
  const stored = useSession((state) => state.draft);
  const turn = useSession((state) => state.turn);
  const { ask, problem, clear } = useAsk();
  const draft = useDraft(sessionId, stored, (id, text) => {
    void ask(() => request('sessions.saveDraft', { sessionId: id, draft: text }));
  });
  const [place, setPlace] = useState<HistoryPlace>(null);
  const newest = useRef(draft.text);
  newest.current = draft.text;
  const look: SendLook = sendLook(draft.text, turn);

  function type(text: string): void {
    setPlace(null);
    if (problem) clear();
    draft.setText(text);
  }

  function send(): void {
    const { text } = draft;
    if (text.trim() === '') return;
    const from = sessionId;
    setPlace(null);
    draft.setText('');
    newest.current = '';
    void ask(() => sendMessage(text)).then((sent) => {
      if (!sent) putBack(from, text);
    });
  }

  /** A text that was not sent comes back, before what was typed meanwhile; never into another session's field. */
  function putBack(from: SessionId | null, text: string): void {
    if (from !== null && sessionStore.getState().sessionId !== from) {
      void request('sessions.saveDraft', { sessionId: from, draft: text }).catch(() => undefined);
      return;
    }
    draft.setText(newest.current === '' ? text : `${text}\n\n${newest.current}`);
  }

  function stop(): void {
    if (sessionId !== null) void ask(() => request('turns.stop', { sessionId }));
  }

  function key(event: KeyboardEvent): boolean {
    if (event.key === 'Escape' && turn !== null && sendLook('', turn) === 'stop') {
      stop();
      return true;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    const looking = place !== null || draft.text === '';
    if (!looking || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return false;
    if (place === null && event.key === 'ArrowDown') return false;
    const texts = earlierPrompts();
    const next = stepHistory(texts.length, place, event.key === 'ArrowUp' ? 'older' : 'newer');
    if (next === place && next === null) return false;
    setPlace(next);
    draft.setText(next === null ? '' : (texts[next] ?? ''));
    return true;
  }

  return { sessionId, turn, text: draft.text, look, problem, type, send, stop, key, flush: draft.flush };
}

/** The user's messages of the open path that are loaded, newest first. */
function earlierPrompts(): readonly string[] {
  const { window, lastSeq } = sessionStore.getState();
  const texts: string[] = [];
  for (let seq = Math.max(1, lastSeq - HISTORY_REACH); seq <= lastSeq; seq++) {
    const message = messageAt(window, seq);
    if (message?.role === 'user') texts.push(message.text);
  }
  return historyOf(texts);
}
