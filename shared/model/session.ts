import type { Attachment } from './attachment';
import type { Attempt, Proposal, ShownStub, Summary } from './compression';
import type { ContextUse } from './context';
import type { BranchId, ModelRef, SessionId } from './ids';
import type { Message, OutboxItem } from './message';
import type { Notice } from './notice';
import type { Pin } from './pin';
import type { ToolQuestion } from './tools';
import type { Turn } from './turn';

/** What a session is doing, for its row. */
export type Activity =
  | { readonly kind: 'idle' }
  | { readonly kind: 'answering' }
  | { readonly kind: 'compressing'; readonly done: number; readonly of: number }
  | { readonly kind: 'waiting' };

/** A row of the sidebar. */
export interface SessionRow {
  readonly id: SessionId;
  readonly title: string;
  readonly model: ModelRef | null;
  readonly messages: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Wall-clock milliseconds, null = not pinned. */
  readonly pinnedAt: number | null;
  readonly deletedAt: number | null;
  readonly activity: Activity;
}

/** Files that go with the next message, and the names of those that are still being read. */
export interface DraftFiles {
  readonly files: readonly Attachment[];
  readonly reading: readonly string[];
}

/** Everything an app window needs to show one session: the last page of its path and all that is true of it now. */
export interface SessionView {
  readonly session: SessionRow;
  readonly branchId: BranchId;
  readonly messages: readonly Message[];
  /** seq of the last message on the path; 0 = none. */
  readonly lastSeq: number;
  /** Folds of this path, in order. */
  readonly summaries: readonly Summary[];
  /** What waits for a review on this path. */
  readonly proposal: Proposal | null;
  /** Pins of this path, in order. */
  readonly pins: readonly Pin[];
  /** Lines in the place of bulky messages, where no fold covers them. */
  readonly stubs: readonly ShownStub[];
  /** The open turn, or the last one that ended; null = none yet. */
  readonly turn: Turn | null;
  /** A call that waits for the user here; null = none does. */
  readonly toolQuestion: ToolQuestion | null;
  /** The running attempt, or the last one that ended since the last message; null = none. */
  readonly attempt: Attempt | null;
  readonly outbox: readonly OutboxItem[];
  readonly draft: string;
  readonly draftFiles: DraftFiles;
  readonly notices: readonly Notice[];
  readonly context: ContextUse | null;
  readonly automatic: 'on' | 'off' | 'breaker';
  readonly review: boolean;
  readonly keepTurns: number;
}

/** One past attempt, for the context panel. */
export type AttemptRecord = Pick<
  Attempt,
  'id' | 'trigger' | 'strategy' | 'outcome' | 'startedAt' | 'endedAt' | 'tokensBefore' | 'tokensAfter'
>;

export interface SearchHit {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly seq: number;
  readonly role: Message['role'];
  /** The passage around the hit, with the places to mark as [from, to) character offsets. */
  readonly excerpt: string;
  readonly marks: readonly (readonly [number, number])[];
  readonly createdAt: number;
}
