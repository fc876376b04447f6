import type { PinPrice } from './pin';

/** Parts of a context in the order in which they are sent and drawn. */
export const contextParts = ['system', 'pins', 'summary', 'recall', 'tail', 'tools'] as const;
export type ContextPart = (typeof contextParts)[number];

export type WindowSource = 'server' | 'asked' | 'learned' | 'user' | 'unknown';

/** What the next request of a session would send, in tokens by the one counter; the parts add up to `total`. */
export interface ContextUse {
  readonly parts: Readonly<Record<ContextPart, number>>;
  readonly total: number;
  /** Every pin of the path; the prices of the covered ones add up to `parts.pins`. */
  readonly pins: readonly PinPrice[];
  /** Tokens kept free for the answer. */
  readonly reserve: number;
  /** The served window; null = unknown, which never blocks. */
  readonly window: number | null;
  readonly trained: number | null;
  readonly source: WindowSource;
  /** Fill at which compression starts in the background; null = there is no soft mark. */
  readonly softMark: number | null;
  readonly hardMark: number | null;
  /** False until a runtime counted it: the meter then shows "≈". */
  readonly exact: boolean;
  /** The tools are no longer those of the last request: the next one is read from its beginning. */
  readonly toolsChanged: boolean;
}
