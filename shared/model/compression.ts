import type { AttemptId, BranchId, SessionId, SummaryId } from './ids';

export const needs = ['ahead', 'pressure', 'must', 'manual'] as const;
/** How far an attempt goes: see the table in main/compression/README.md. */
export type Need = (typeof needs)[number];

export const strategies = ['prune', 'summarize', 'extract'] as const;
export type Strategy = (typeof strategies)[number];

export const attemptPhases = [
  'waiting',
  'connecting',
  'loading',
  'reading',
  'writing',
  'checking',
  'saving',
  'stopping',
  'ended',
] as const;
export type AttemptPhase = (typeof attemptPhases)[number];

export const triggers = ['soft-mark', 'hard-mark', 'does-not-fit', 'overflow', 'button', 'range', 'accept'] as const;
export type Trigger = (typeof triggers)[number];

export const failureKinds = [
  'stalled',
  'ceiling-exhausted',
  'stall-interrupted',
  'interrupted',
  'died',
  'host-lost',
  'malformed',
  'empty',
  'refused',
  'cut',
  'too-large',
  'lease-lost',
  'commit-failed',
] as const;
export type FailureKind = (typeof failureKinds)[number];

export type NothingReason =
  | 'nothing-covered' // every message is protected or already covered
  | 'inside-summary' // the chosen range lies inside what a summary covers
  | 'nothing-to-gain'; // the summary would not be smaller

/** How one attempt ended: one final value, stored once. */
export type AttemptOutcome =
  | { readonly kind: 'committed'; readonly summaryId: SummaryId }
  | { readonly kind: 'proposed'; readonly summaryId: SummaryId }
  | { readonly kind: 'nothing-to-do'; readonly reason: NothingReason }
  | { readonly kind: 'deferred'; readonly why: AttemptDefer }
  | { readonly kind: 'cancelled'; readonly by: 'user' | 'unwind' | 'quit' }
  | { readonly kind: 'superseded'; readonly by: 'newer' | 'undo' | 'edit' | 'bin' | 'fork' }
  | { readonly kind: 'failed'; readonly failure: FailureKind };

export type AttemptDefer =
  | { readonly kind: 'lease-held'; readonly holder: string }
  | { readonly kind: 'backoff'; readonly until: number }
  | { readonly kind: 'worker-exiting' }
  | { readonly kind: 'model-busy' };

/** Why an attempt that would have used the model went on without it. */
export type NoModelReason = 'cannot-summarize' | 'window-too-small' | 'in-backoff' | 'skipped' | 'failed' | 'chosen';

/** One attempt as the card, the status line and the session row show it. */
export interface Attempt {
  readonly id: AttemptId;
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly need: Need;
  readonly trigger: Trigger;
  readonly strategy: Strategy | null;
  readonly phase: AttemptPhase;
  readonly chunksDone: number;
  readonly chunks: number;
  /** Share of the running chunk that was read, 0 to 1. */
  readonly chunkShare: number;
  /** First and last message number of the chunk being read. */
  readonly reading: { readonly from: number; readonly to: number } | null;
  readonly tokensToRead: number;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  /** Display name of the model that writes; null = no model is used. */
  readonly model: string | null;
  readonly noModel: NoModelReason | null;
  /** The newest complete line of the growing summary and the section it stands in. */
  readonly newestLine: { readonly section: string; readonly text: string } | null;
  /** The growing text, for the setting "full"; at most its last 20,000 characters. */
  readonly text: string;
  /** True while it stands back for a chat that uses the same model. */
  readonly paused: boolean;
  /** True while a turn waits for it. */
  readonly turnWaits: boolean;
  /** True where another window of this profile runs it. */
  readonly elsewhere: boolean;
  /** Wall-clock milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly outcome: AttemptOutcome | null;
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  /** Tokens that requests carried for the covered range until now; null = not known any more. */
  readonly tokensShown: number | null;
  /** Wall-clock milliseconds until which a failed strategy pauses; null = it does not. */
  readonly pausedUntil: number | null;
}

export const sectionNames = ['goal', 'constraints', 'decisions', 'state', 'open', 'facts', 'anchors'] as const;
export type SectionName = (typeof sectionNames)[number];

export interface SummaryLine {
  readonly text: string;
  /** Message numbers (seq) that hold what the line says. */
  readonly sources: readonly number[];
}
export interface SummarySection {
  readonly name: SectionName;
  readonly lines: readonly SummaryLine[];
}

export interface ReceiptAnchor {
  readonly text: string;
  readonly seq: number;
  readonly fate: 'kept' | 'restored' | 'dropped';
}
/** The check of what a summary kept. */
export interface Receipt {
  readonly kept: number;
  readonly restored: number;
  readonly dropped: number;
  readonly anchors: readonly ReceiptAnchor[];
  /** Lines struck out because they name identifiers that the source does not have. */
  readonly struckLines: number;
  /** True where the protected part alone is above the target. */
  readonly aboveTarget: boolean;
  /** Share of the whole request that the commit took away, 0 to 1; missing where nobody measured it. */
  readonly gain?: number;
  /** What the attempt saw; kept with what waits for a review, so that accepting it can look whether that still holds. */
  readonly plannedOn?: PlannedOn;
}
export interface PlannedOn {
  /** The path it was made on. */
  readonly branchId: BranchId;
  /** Summaries that the view showed in the range. */
  readonly shown: readonly SummaryId[];
  /** Messages of the range that were in the bin. */
  readonly binned: number;
  /** Tokens that the view showed for the range, and in all. */
  readonly tokensShown: number;
  readonly tokensInView: number;
}

/** Why automatic compression stopped itself in a session. */
export type BreakerTrip =
  /** Commits in a row that took away next to nothing of the request: their shares, the newest last. */
  | { readonly kind: 'small-gains'; readonly gains: readonly number[] }
  /** Commits within the hour, of which the last ones bought next to no user turns: their turns, the newest last. */
  | { readonly kind: 'too-often'; readonly times: number; readonly turns: readonly number[] };

export const summaryAuthors = ['model', 'extract', 'user', 'import'] as const;
export type SummaryAuthor = (typeof summaryAuthors)[number];

/** One line that requests carry in the place of a bulky message. */
export interface ShownStub {
  readonly seq: number;
  readonly text: string;
  /** The row that holds it; others of the same row go with it when it is undone. */
  readonly summaryId: SummaryId;
}

/** One fold of the transcript: a summary that the view of this path shows. */
export interface Summary {
  readonly id: SummaryId;
  readonly branchId: BranchId;
  readonly coversFrom: number;
  readonly coversTo: number;
  readonly kind: 'text' | 'stubs';
  readonly author: SummaryAuthor;
  readonly strategy: Strategy | null;
  readonly model: string | null;
  readonly sections: readonly SummarySection[];
  readonly text: string;
  readonly receipt: Receipt | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly chunks: number;
  readonly tookMs: number;
  readonly createdAt: number;
  /** Earlier summaries that show again when this one is undone. */
  readonly containsOlder: boolean;
  /** Summaries of this path that are newer and in use: rolling back to this one undoes them. */
  readonly newer: number;
  /** Paths that it applies to: an undo is an undo on each. */
  readonly paths: number;
}

/** A summary that waits for the user's review: it is not used until it is accepted. */
export interface Proposal extends Summary {
  /** Share of the next request that it would take away, 0 to 1, as of when it was made. */
  readonly gain: number;
}

/** One summary of a path in the list of all of them. */
export interface EarlierSummary {
  readonly id: SummaryId;
  readonly coversFrom: number;
  readonly coversTo: number;
  readonly author: SummaryAuthor;
  readonly strategy: Strategy | null;
  readonly model: string | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly createdAt: number;
  /** `contained` = a newer one stands for its messages too. */
  readonly place: 'shown' | 'contained' | 'undone';
  /** Newer ones in use. */
  readonly newer: number;
}

/** What compressing a chosen range would cover and gain. */
export type RangePreview =
  | {
      readonly kind: 'range';
      /** Whole turns and whole summaries: what was chosen, or more. */
      readonly from: number;
      readonly to: number;
      /** Tokens that requests carry for it now, and about as many as the summary may have. */
      readonly tokensNow: number;
      readonly tokensAfter: number;
    }
  | { readonly kind: 'nothing'; readonly reason: NothingReason };

/** What "Recover" would do to a compression that another window holds. */
export type RecoverPreview =
  | {
      readonly kind: 'held';
      /** Wall-clock milliseconds since which the other has it; null = not known. */
      readonly since: number | null;
      /** So long, at most, this window watches it; milliseconds. */
      readonly watchMs: number;
    }
  /** Nobody holds it any more: it is compressed at once. */
  | { readonly kind: 'free' };

/** What an undo, or a roll back to an earlier summary, would do to the next request. */
export interface RollBackPreview {
  /** Summaries that are no longer used then, newest first. */
  readonly undoes: readonly SummaryId[];
  /** Messages that are sent whole again. */
  readonly whole: number;
  /** Earlier summaries that are used again. */
  readonly older: number;
  /** Tokens of the next request now and then; null = there is no model to count for. */
  readonly tokensNow: number | null;
  readonly tokensAfter: number | null;
  /** Tokens that the window leaves for a request; null = not known. */
  readonly usable: number | null;
  readonly fits: 'fits' | 'past-hard-mark' | 'too-large' | 'unknown';
  readonly paths: number;
  /** True where it is the user's own text that is taken back. */
  readonly editedByUser: boolean;
}
