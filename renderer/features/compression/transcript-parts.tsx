import { useTranslation } from 'react-i18next';
import type { Attempt, Summary } from '../../../shared/model/compression';
import { Icon } from '../../components/icon';
import { IconDown, IconFold } from '../../components/icons';
import { foldOver } from '../../stores/covered';
import { foldStore, useFoldOpen } from '../../stores/fold-store';
import { jumpStore } from '../../stores/jump-store';
import { putBack, useRolledBack } from '../../stores/rolled-back-store';
import { useSession } from '../../stores/session-store';
import { CompressionCard } from './compression-card';
import { CompressionStatusLine } from './compression-status-line';
import { Fold, FoldLineWords, RolledBack } from './fold';
import { ProposalCard } from './proposal-card';
import { useLeaving } from './use-leaving';

/** What stands after a message of the transcript: the fold that ends there, or what is left of one. */
export function FoldAfter({ seq }: { readonly seq: number }) {
  const sessionId = useSession((state) => state.sessionId);
  const summaries = useSession((state) => state.summaries);
  const summary = summaries.find((each) => each.kind === 'text' && each.coversTo === seq);
  const newest = foldOver(summaries, seq)?.id ?? 0;
  // Where several ended here, the one that was rolled back last is the one that Undo is about.
  const rolledBack = useRolledBack(sessionId).findLast(
    (each) => each.summary.coversTo === seq && each.summary.id > newest,
  );
  if (sessionId === null) return null;
  return (
    <>
      {summary && <OpenableFold summary={summary} />}
      {rolledBack && (
        <RolledBack summary={rolledBack.summary} used={summaries} onUndo={() => putBack(sessionId, rolledBack.ids)} />
      )}
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
    />
  );
}

/** Opens a fold and brings it into view. */
function showFold(summary: Summary): void {
  foldStore.getState().foldOpened(summary.id);
  jumpStore.getState().foldWanted(summary.coversTo);
}

/** The copy of a fold line at the top edge while one reads what it covers; it leads to the summary and opens it. */
export function StickyFoldLine({ summary }: { readonly summary: Summary }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="foldline"
      aria-label={t('transcript.stickyFold')}
      onClick={() => showFold(summary)}
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
  const proposal = useSession((state) => state.proposal);
  const { shown, leaving, left } = useLeaving(attempt);
  // what waits for a word stands in the place of the attempt that made it, and of the one that is to use it
  const told = shown !== null && !(proposal && tellsOfProposal(shown));
  return (
    <>
      {proposal && (
        <div className="card-slot">
          <ProposalCard proposal={proposal} />
        </div>
      )}
      {told && <AttemptCard attempt={shown} summaries={summaries} leaving={leaving} onLeft={left} />}
    </>
  );
}

function tellsOfProposal({ outcome, trigger }: Attempt): boolean {
  return outcome === null ? trigger === 'accept' : outcome.kind === 'proposed';
}

interface AttemptCardProps {
  readonly attempt: Attempt;
  readonly summaries: readonly Summary[];
  readonly leaving: boolean;
  readonly onLeft: () => void;
}

function AttemptCard({ attempt, summaries, leaving, onLeft }: AttemptCardProps) {
  return (
    <div
      className={leaving ? 'card-slot is-leaving' : 'card-slot'}
      inert={leaving}
      onAnimationEnd={(event) => event.target === event.currentTarget && onLeft()}
    >
      <CompressionCard
        attempt={attempt}
        onShowSummary={(id) => {
          const summary = summaries.find((each) => each.id === id);
          if (summary) showFold(summary);
        }}
      />
    </div>
  );
}

/** The same attempt for the status line under the dock; null where there is none. */
export function useCompressionStatus() {
  const attempt = useSession((state) => state.attempt);
  return attempt === null ? null : <CompressionStatusLine attempt={attempt} />;
}
