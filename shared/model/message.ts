import type { Attachment } from './attachment';
import type { BranchId, MessageId, TurnId } from './ids';

/** Tokens and time of one answer, as the provider reported them. */
export interface Usage {
  readonly model: string;
  readonly promptTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number | null;
  /** Tokens that were sent, by our count, where the server cut the prompt in silence and read only `promptTokens`. */
  readonly cutFrom?: number;
  /** Milliseconds from the request's first byte to the end of the answer. */
  readonly tookMs: number;
}

/** A tool that a model called. */
export interface ToolCall {
  /** Minted by the app, unique in the profile. */
  readonly id: string;
  readonly name: string;
  /** Arguments as the model wrote them: JSON, where it kept to the schema. */
  readonly args: string;
}

export const resultStates = ['done', 'failed', 'timed-out', 'cancelled', 'interrupted', 'denied'] as const;
/** How a call ended. `interrupted` = the app ended meanwhile: what came of it is unknown. `denied` = the user said no. */
export type ResultState = (typeof resultStates)[number];

/** What a result message says besides its text. */
export interface ToolResult {
  readonly call: ToolCall;
  readonly state: ResultState;
  /** Milliseconds; null = it did not run, or nobody knows. */
  readonly tookMs: number | null;
  /** Tokens of the whole result where the model got it shortened; null = the text is whole. */
  readonly fullTokens: number | null;
}

/** A passage of covered messages that was put before a user message, for a model that cannot ask for it. */
export interface RecalledPassage {
  /** Place of the message it stands in. */
  readonly seq: number;
  readonly role: MessageRole;
  readonly text: string;
}

export type MessageRole = 'user' | 'assistant' | 'tool';
/** `streaming` while it grows; `partial` = stopped or interrupted, as immutable as `complete`. */
export type MessageStatus = 'streaming' | 'complete' | 'partial';

/** A file of a message: what it says is shown on demand. */
export type MessageFile = Omit<Attachment, 'tokens'>;

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
  /** What was typed, without the words of its files. */
  readonly text: string;
  /** Files that came with it. */
  readonly files: readonly MessageFile[];
  readonly usage: Usage | null;
  /** Tools that this answer called; their results follow as messages of their own. */
  readonly calls: readonly ToolCall[];
  /** Of a tool's result; null = another message, or an imported one. */
  readonly result: ToolResult | null;
  /** Passages sent with this user message; empty = none. */
  readonly recalled: readonly RecalledPassage[];
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
  readonly files: readonly MessageFile[];
  readonly createdAt: number;
}
