import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PASTE_MAX } from '../../../shared/model/attachment';
import type { SessionId } from '../../../shared/model/ids';
import { request } from '../../bridge/request';
import type { SendLook } from '../../components/send-button';
import { sendLook } from '../../components/send-look';
import { useAsk } from '../../components/use-ask';
import { attachFiles, attachImage, attachText } from '../../stores/attach-store';
import { messageAt } from '../../stores/message-window';
import { sessionStore, useSession } from '../../stores/session-store';
import { told } from '../../stores/toast-store';
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
  const { files, reading } = useSession((state) => state.draftFiles);
  const { t } = useTranslation();
  // what is still being read would be left behind
  const look: SendLook = sendLook(draft.text, turn, files.length > 0, reading.length > 0);

  function type(text: string): void {
    setPlace(null);
    if (problem) clear();
    draft.setText(text);
  }

  function send(): void {
    const { text } = draft;
    if (look !== 'ready' && look !== 'adds') return;
    const words = text.trim() === '' ? '' : text;
    const from = sessionId;
    setPlace(null);
    draft.setText('');
    newest.current = '';
    const attachments = files.map(({ hash }) => hash);
    void ask(() => sendMessage(words, attachments)).then((sent) => {
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

  /** Files, and texts that are too long for the field, become attachments. */
  function paste(pasted: DataTransfer): boolean {
    const found = [...pasted.files];
    // a picture out of the clipboard lies in no file
    const [picture] = found;
    if (found.length === 1 && picture?.type.startsWith('image/')) {
      void told(attachImage(t('composer.files.image'), picture));
      return true;
    }
    if (found.length > 0) {
      void told(attachFiles(found));
      return true;
    }
    const text = pasted.getData('text/plain');
    if (text.length <= PASTE_MAX) return false;
    const place = files.filter(({ kind }) => kind === 'paste').length + 1;
    const name = place === 1 ? t('composer.files.pasted') : t('composer.files.pastedAgain', { place });
    void told(attachText(name, text));
    return true;
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

  return { sessionId, turn, text: draft.text, look, problem, type, send, stop, key, paste, flush: draft.flush };
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
