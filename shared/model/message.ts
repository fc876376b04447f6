import type { BranchId, MessageId, TurnId } from './ids';

/** Tokens and time of one answer, as the provider reported them. */
export interface Usage {
  readonly model: string;
  readonly promptTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number | null;
  /** Milliseconds from the request's first byte to the end of the answer. */
  readonly tookMs: number;
}

export type MessageRole = 'user' | 'assistant' | 'tool';
/** `streaming` while it grows; `partial` = stopped or interrupted, as immutable as `complete`. */
export type MessageStatus = 'streaming' | 'complete' | 'partial';

/** Where the branches that share a fork point stand, for the switcher "2 / 3". */
export interface Siblings {
  readonly index: number;
  readonly branches: readonly BranchId[];
}

export interface Message {
  readonly id: MessageId;
  readonly branchId: BranchId;
  /** Place on the path, counted from 1. */
  readonly seq: number;
  readonly role: MessageRole;
  readonly status: MessageStatus;
  readonly text: string;
  readonly usage: Usage | null;
  /** The turn that made it; null = imported. */
  readonly turnId: TurnId | null;
  /** Wall-clock milliseconds. */
  readonly createdAt: number;
  /** Present where an edit or "Answer again" made alternatives of this message. */
  readonly siblings: Siblings | null;
}

/** What the user typed while the session was busy, in the order in which it will be sent. */
export interface OutboxItem {
  readonly id: MessageId;
  readonly text: string;
  readonly createdAt: number;
}
