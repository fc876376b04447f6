import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Attempt, Summary } from '../../shared/model/compression';
import type { SessionId, SummaryId } from '../../shared/model/ids';
import { request } from '../bridge/request';
import { sessionStore, useSession } from './session-store';

/** What one roll back took out of the requests: where its line stands, and all that Undo uses again. */
export interface RolledBack {
  /** The outermost, at whose end the line stands. */
  readonly summary: Summary;
  readonly ids: readonly SummaryId[];
}

interface RolledBackState {
  /** What was rolled back in this window and can be used again, by session. */
  readonly bySession: Readonly<Record<SessionId, readonly RolledBack[]>>;
  rolledBack(sessionId: SessionId, what: RolledBack): void;
  usedAgain(sessionId: SessionId, ids: readonly SummaryId[]): void;
}

/** Kept in the window only: after a restart the way back is the list of summaries. */
export const rolledBackStore = createStore<RolledBackState>()((set) => ({
  bySession: {},
  rolledBack: (sessionId, what) =>
    set(({ bySession }) => ({
      bySession: { ...bySession, [sessionId]: [...without(bySession[sessionId], what.ids), what] },
    })),
  usedAgain: (sessionId, ids) =>
    set(({ bySession }) => ({ bySession: { ...bySession, [sessionId]: without(bySession[sessionId], ids) } })),
}));

const none: readonly RolledBack[] = [];

/** What is left of roll backs when these are used again: a line without anything to bring back goes. */
function without(all: readonly RolledBack[] | undefined, ids: readonly SummaryId[]): readonly RolledBack[] {
  return (all ?? none)
    .map((one) => ({ ...one, ids: one.ids.filter((id) => !ids.includes(id)) }))
    .filter((one) => one.ids.length > 0);
}

/** The roll backs of a session for which a line stands in the transcript, oldest first. */
export function useRolledBack(sessionId: SessionId | null): readonly RolledBack[] {
  return useStore(rolledBackStore, (state) => (sessionId ? state.bySession[sessionId] : undefined) ?? none);
}

/** Whether what an attempt committed was rolled back. Lines in the place of messages are so once none of them is left. */
export function useIsRolledBack({ sessionId, strategy, outcome }: Attempt): boolean {
  const id = outcome?.kind === 'committed' ? outcome.summaryId : null;
  const listed = useStore(
    rolledBackStore,
    ({ bySession }) => id !== null && (bySession[sessionId]?.some((each) => each.ids.includes(id)) ?? false),
  );
  const lines = useSession((state) => state.stubs.some((stub) => stub.summaryId === id));
  return listed || (id !== null && strategy === 'prune' && !lines);
}

/**
 * Sends the messages whole again in whose place that row has lines.
 * @throws AppError when main refuses; then nothing changes.
 */
export async function sendWhole(sessionId: SessionId, summaryId: SummaryId): Promise<void> {
  await request('compression.undo', { sessionId, summaryId });
}

/**
 * Takes a summary out of what the model is sent.
 * @throws AppError when main refuses; then nothing changes.
 */
export async function rollBack(sessionId: SessionId, summary: Summary): Promise<void> {
  await request('compression.undo', { sessionId, summaryId: summary.id });
  rolledBackStore.getState().rolledBack(sessionId, { summary, ids: [summary.id] });
}

/**
 * Takes every summary of the open path out that is newer than this one.
 * @throws AppError when main refuses; then nothing changes.
 */
export async function rollBackTo(summaryId: SummaryId): Promise<void> {
  const { sessionId, branchId, summaries } = sessionStore.getState();
  if (sessionId === null || branchId === null) return;
  const ids = await request('compression.rollBack', { sessionId, branchId, summaryId });
  const outermost = summaries.findLast((summary) => ids.includes(summary.id));
  if (outermost) rolledBackStore.getState().rolledBack(sessionId, { summary: outermost, ids });
}

/**
 * Uses again what was rolled back.
 * @throws AppError when main refuses; then the line stays.
 */
export async function putBack(sessionId: SessionId, ids: readonly SummaryId[]): Promise<void> {
  await request('compression.redo', { sessionId, summaryIds: [...ids] });
  rolledBackStore.getState().usedAgain(sessionId, ids);
}
