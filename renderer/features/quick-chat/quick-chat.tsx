import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../bridge/request';
import { useAsk } from '../../components/use-ask';
import { useApp } from '../../stores/app-store';
import { useSession } from '../../stores/session-store';
import { beginAnew, changePin, moveToMain } from './quick-acts';
import { QuickAnswers } from './quick-answers';
import { QuickDock } from './quick-dock';
import { QuickHead } from './quick-head';
import { quickStore } from './quick-state';
import { quickTurns } from './quick-turns';
import { useWindowHeight } from './use-window-height';
import './quick-chat.css';

/** Messages of the path that the small window shows; all of them are in the main window. */
const MESSAGES_SHOWN = 100;

/** The whole quick chat window: one question, its answer in place, follow-ups. */
export function QuickChat() {
  const { t } = useTranslation();
  const mac = useApp((state) => state.platform === 'darwin');
  const held = useSession((state) => state.window);
  const lastSeq = useSession((state) => state.lastSeq);
  const turns = useMemo(() => quickTurns(held, lastSeq, Math.max(1, lastSeq - MESSAGES_SHOWN + 1)), [held, lastSeq]);
  const content = useRef<HTMLDivElement>(null);
  const { ask, problem, clear } = useAsk();
  const modifier = mac ? '⌘' : 'Ctrl ';
  useWindowHeight(content);
  usePinEnd();

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      // What a menu or a dialog took is not meant for the window.
      if (event.defaultPrevented || event.isComposing) return;
      const withModifier = (mac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
      if (event.key === 'Escape') void ask(() => request('quickChat.hide', {}));
      else if (withModifier && event.key.toLowerCase() === 'o') void ask(moveToMain);
      else if (withModifier && event.key.toLowerCase() === 'n') {
        clear();
        beginAnew();
      } else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [mac, ask, clear]);

  return (
    <main className="quick" aria-label={t('quickChat.title')}>
      <QuickHead
        question={turns.at(-1)?.question.text ?? null}
        modifier={modifier}
        onAnew={beginAnew}
        onMove={() => void ask(moveToMain)}
        onPin={(pinned) => void ask(() => changePin(pinned))}
      />
      <QuickAnswers turns={turns} contentRef={content} />
      <QuickDock modifier={modifier} ask={ask} problem={problem} />
    </main>
  );
}

/** A hidden window is pinned no more: main ends that, so that the next summons is like any other. */
function usePinEnd(): void {
  useEffect(() => {
    const changed = () => {
      if (document.visibilityState === 'hidden') quickStore.getState().pinChanged(false);
    };
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, []);
}
