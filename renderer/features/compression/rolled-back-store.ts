import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Attempt, Summary } from '../../../shared/model/compression';
import type { SessionId, SummaryId } from '../../../shared/model/ids';
import { request } from '../../bridge/request';

interface RolledBackState {
  /** The summaries that were rolled back in this window and can be used again, by session. */
  readonly bySession: Readonly<Record<SessionId, readonly Summary[]>>;
  rolledBack(sessionId: SessionId, summary: Summary): void;
  usedAgain(sessionId: SessionId, summaryId: SummaryId): void;
}

/** Kept in the window only: after a restart the way back is the transcript itself. */
export const rolledBackStore = createStore<RolledBackState>()((set) => ({
  bySession: {},
  rolledBack: (sessionId, summary) =>
    set(({ bySession }) => ({
      bySession: { ...bySession, [sessionId]: [...without(bySession[sessionId], summary.id), summary] },
    })),
  usedAgain: (sessionId, summaryId) =>
    set(({ bySession }) => ({ bySession: { ...bySession, [sessionId]: without(bySession[sessionId], summaryId) } })),
}));

const none: readonly Summary[] = [];

function without(summaries: readonly Summary[] | undefined, id: SummaryId): readonly Summary[] {
  return (summaries ?? none).filter((summary) => summary.id !== id);
}

/** The summaries of a session in whose place a "Rolled back" line stands, oldest first. */
export function useRolledBack(sessionId: SessionId | null): readonly Summary[] {
  return useStore(rolledBackStore, (state) => (sessionId ? state.bySession[sessionId] : undefined) ?? none);
}

/** Whether what an attempt committed was rolled back. */
export function useIsRolledBack({ sessionId, outcome }: Attempt): boolean {
  const id = outcome?.kind === 'committed' ? outcome.summaryId : null;
  return useStore(rolledBackStore, ({ bySession }) => bySession[sessionId]?.some((each) => each.id === id) ?? false);
}

/**
 * Takes a summary out of what the model is sent.
 * @throws AppError when main refuses; then nothing changes.
 */
export async function rollBack(sessionId: SessionId, summary: Summary): Promise<void> {
  await request('compression.undo', { sessionId, summaryId: summary.id });
  rolledBackStore.getState().rolledBack(sessionId, summary);
}

/**
 * Uses a rolled back summary again.
 * @throws AppError when main refuses; then the line stays.
 */
export async function putBack(sessionId: SessionId, summary: Summary): Promise<void> {
  await request('compression.redo', { sessionId, summaryId: summary.id });
  rolledBackStore.getState().usedAgain(sessionId, summary.id);
}
