import { useTranslation } from 'react-i18next';
import type { Summary } from '../../../shared/model/compression';
import { Icon } from '../../components/icon';
import { IconDown, IconFold } from '../../components/icons';
import { foldOver } from '../../stores/covered';
import { foldStore, useFoldOpen } from '../../stores/fold-store';
import { jumpStore } from '../../stores/jump-store';
import { sessionStore, useSession } from '../../stores/session-store';
import { CompressionCard } from './compression-card';
import { CompressionStatusLine } from './compression-status-line';
import { Fold, FoldLineWords, RolledBack } from './fold';
import { putBack, rollBack, useRolledBack } from './rolled-back-store';

/** What stands after a message of the transcript: the fold that ends there, or what is left of one. */
export function FoldAfter({ seq }: { readonly seq: number }) {
  const sessionId = useSession((state) => state.sessionId);
  const summary = useSession((state) => state.summaries.find((each) => each.kind === 'text' && each.coversTo === seq));
  const newest = useSession((state) => foldOver(state.summaries, seq)?.id ?? 0);
  const rolledBack = useRolledBack(sessionId).find((each) => each.coversTo === seq && each.id > newest);
  if (sessionId === null) return null;
  return (
    <>
      {summary && <OpenableFold summary={summary} />}
      {rolledBack && <RolledBack summary={rolledBack} onUndo={(each) => putBack(sessionId, each)} />}
    </>
  );
}

function OpenableFold({ summary }: { readonly summary: Summary }) {
  const open = useFoldOpen(summary.id);
  return (
    <Fold
      summary={summary}
      open={open}
      onToggle={() => foldStore.getState().foldToggled(summary.id)}
      onSource={(seq) => jumpStore.getState().messageWanted(seq, summary.coversTo)}
      onRollBack={async (each) => {
        const { sessionId } = sessionStore.getState();
        if (sessionId !== null) await rollBack(sessionId, each);
      }}
    />
  );
}

export interface StickyFoldLineProps {
  readonly summary: Summary;
  readonly onGo: () => void;
}

/** The copy of a fold line at the top edge while one reads what it covers; it leads to the summary and opens it. */
export function StickyFoldLine({ summary, onGo }: StickyFoldLineProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="foldline"
      aria-label={t('transcript.stickyFold')}
      onClick={() => {
        foldStore.getState().foldOpened(summary.id);
        onGo();
      }}
    >
      <Icon of={IconFold} />
      <FoldLineWords summary={summary} />
      <Icon of={IconDown} />
    </button>
  );
}

/** The end of the transcript: the attempt that runs, or the last one since the last message. */
export function CardAtEnd() {
  const attempt = useSession((state) => state.attempt);
  const summaries = useSession((state) => state.summaries);
  if (attempt === null) return null;
  return (
    <CompressionCard
      attempt={attempt}
      onShowSummary={(id) => {
        const summary = summaries.find((each) => each.id === id);
        if (!summary) return;
        foldStore.getState().foldOpened(id);
        jumpStore.getState().messageWanted(summary.coversTo, null);
      }}
    />
  );
}

/** The same attempt for the status line under the dock; null where there is none. */
export function useCompressionStatus() {
  const attempt = useSession((state) => state.attempt);
  return attempt === null ? null : <CompressionStatusLine attempt={attempt} />;
}
