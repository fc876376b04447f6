/** Tokens that models read and wrote. */
export interface Spent {
  readonly read: number;
  readonly written: number;
}

/**
 * What a chat has cost so far, over all its requests: it only grows, and says nothing of how full the window is
 * (that is `ContextUse`, of the next request alone).
 */
export interface Spend {
  /** Answers on every path, also those that were left: as their servers counted. */
  readonly answers: Spent;
  /** Answers whose server did not say how much it read: they are missing in `answers.read`. */
  readonly uncounted: number;
  /** What models read and wrote for summaries, by our own count where the server gave none. */
  readonly compressions: Spent;
  /** The largest prompt of an answer; `at` in wall-clock milliseconds. null = no server counted one. */
  readonly peak: { readonly tokens: number; readonly at: number } | null;
}
