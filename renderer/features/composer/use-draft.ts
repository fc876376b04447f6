import { useCallback, useEffect, useRef, useState } from 'react';
import type { SessionId } from '../../../shared/model/ids';

/** Milliseconds without typing after which a draft is stored. */
export const DRAFT_PAUSE_MS = 300;

export interface Draft {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Stores what is not stored yet, now. */
  readonly flush: () => void;
}

/**
 * The unsent text of the open session. It is stored after a pause, and at once when the field loses the focus,
 * another session opens, the window hides or the field goes away, so that none of these loses a word.
 * @param stored the draft as it was stored when the session was opened.
 * @param save stores a draft; a failure is its own to report.
 */
export function useDraft(
  sessionId: SessionId | null,
  stored: string,
  save: (sessionId: SessionId, draft: string) => void,
): Draft {
  const [held, setHeld] = useState({ sessionId, text: stored });
  const unsaved = useRef<{ readonly sessionId: SessionId; readonly text: string } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const saver = useRef(save);
  saver.current = save;

  const flush = useCallback(() => {
    clearTimeout(timer.current);
    const last = unsaved.current;
    unsaved.current = null;
    if (last) saver.current(last.sessionId, last.text);
  }, []);

  // Another session: its draft shows in the same render, before anything could be typed into the wrong one.
  const current = held.sessionId === sessionId ? held : { sessionId, text: stored };
  if (current !== held) setHeld(current);

  useEffect(() => flush, [sessionId, flush]);
  useEffect(() => {
    const hidden = () => document.visibilityState === 'hidden' && flush();
    document.addEventListener('visibilitychange', hidden);
    window.addEventListener('pagehide', flush);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      window.removeEventListener('pagehide', flush);
    };
  }, [flush]);

  const setText = useCallback(
    (text: string) => {
      setHeld({ sessionId, text });
      if (sessionId === null) return;
      unsaved.current = { sessionId, text };
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, DRAFT_PAUSE_MS);
    },
    [sessionId, flush],
  );
  return { text: current.text, setText, flush };
}
