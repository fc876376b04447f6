import { useTranslation } from 'react-i18next';
import type { AppError } from '../shared/errors';
import { ChatBar } from './chat-bar';
import { Button } from './components/button';
import { CaptionButtons } from './components/frame/caption-buttons';
import { usePanelLiesOver } from './components/frame/use-media';
import { Dock } from './features/composer/dock';
import { FileDrop } from './features/composer/file-drop';
import { RangeBar } from './features/compression/range-bar';
import { CardAtEnd, FoldAfter, StickyFoldLine, useCompressionStatus } from './features/compression/transcript-parts';
import { ContextPanel } from './features/context/context-panel';
import { EmptyChat } from './features/transcript/empty-chat';
import { FindBar } from './features/transcript/find-bar';
import { Transcript } from './features/transcript/transcript';
import { errorSentence } from './i18n/error-sentence';
import { useApp } from './stores/app-store';
import { useLayout } from './stores/layout-store';
import { openSession } from './stores/open-session';
import { useSession } from './stores/session-store';
import { told } from './stores/toast-store';

/** One chat: toolbar, transcript or its empty state, dock, and the context panel at the right. */
export function ChatPage() {
  const panelOpen = useLayout((state) => state.panelOpen);
  const panelOver = usePanelLiesOver();
  // Without a session there is nothing that the dock could send to.
  const failed = useSession((state) => state.problem !== null);
  return (
    <>
      <FileDrop>
        <ChatBar rightmost={!panelOpen || panelOver} />
        <Reading />
        {!failed && <ChatDock />}
      </FileDrop>
      {panelOpen && (
        <div className={panelOver ? 'panel-slot is-over' : 'panel-slot'}>
          <ContextPanel />
          <CaptionButtons />
        </div>
      )}
    </>
  );
}

function Reading() {
  const finding = useLayout((state) => state.finding);
  const currentId = useApp((state) => state.currentId);
  const shown = useSession((state) => state.sessionId === currentId && state.sessionId !== null);
  const isEmpty = useSession((state) => state.lastSeq === 0 && state.attempt === null && state.turn === null);
  // Opening takes some milliseconds: the page stays as it is until the view is here, so nothing flashes.
  const known = useSession((state) => state.sessionId !== null);
  const problem = useSession((state) => state.problem);
  if (problem) return <CannotOpen problem={problem} />;
  if (!known) return <div className="reading" />;
  if (isEmpty && shown) return <EmptyChat />;
  return (
    <>
      <Transcript After={FoldAfter} StickyFold={StickyFoldLine} End={CardAtEnd} />
      <RangeBar />
      {finding && (
        <div className="find-slot">
          <FindBar />
        </div>
      )}
    </>
  );
}

function CannotOpen({ problem }: { readonly problem: AppError }) {
  const { t } = useTranslation();
  const currentId = useApp((state) => state.currentId);
  return (
    <div className="full" role="alert">
      <h1>{t('transcript.cannotOpen')}</h1>
      <p>{errorSentence(t, problem)}</p>
      {currentId !== null && (
        <Button onClick={() => void told(openSession(currentId, null))}>{t('transcript.tryAgain')}</Button>
      )}
    </div>
  );
}

/** The dock, whose status line tells of the compression while there is one. */
export function ChatDock() {
  return <Dock status={useCompressionStatus()} />;
}
