import type { WindowSource } from '../../shared/model/context';
import type { ModelRef } from '../../shared/model/ids';
import type { ChatMessage, Target, ToolSpec } from '../hosts/protocol';
import type { CharCounts } from '../lib/char-counts';

/** Tokens per character, by script, for one model. */
export interface TokenRates {
  readonly ascii: number;
  readonly cjk: number;
  readonly other: number;
  /** True once reported usage calibrated them. */
  readonly calibrated: boolean;
}

export interface ServedWindow {
  readonly served: number | null;
  readonly trained: number | null;
  readonly source: WindowSource;
}

/** Everything the engine needs of one model to count, plan and send. */
export interface ModelFacts {
  readonly ref: ModelRef;
  readonly name: string;
  readonly target: Target;
  readonly window: ServedWindow;
  readonly rates: TokenRates;
  /** Tokens per second; null = not measured. */
  readonly prefillRate: number | null;
  readonly canSummarize: boolean;
  /** True where requests may carry tools. */
  readonly tools: boolean;
  /** True where it says that it takes pictures. */
  readonly sees: boolean;
  readonly remote: boolean;
  /** Most tokens one answer may have by the model's own word; null = unknown. */
  readonly outputCap: number | null;
  /** True where a request may be counted exactly beforehand. */
  readonly countsExactly: boolean;
  /** True where what runs it works on one request at a time, or does not say that it can do more. */
  readonly oneAtATime: boolean;
}

/** What the engine asks of providers and tells them. Implemented by providers/registry. */
export interface Models {
  /** null = no such model, or its provider was removed. */
  facts(ref: ModelRef): ModelFacts | null;
  /** The model a new session uses: the chosen default, else the first usable one, else the practice model. */
  defaultModel(): ModelRef | null;
  /** Exact prompt tokens, or null where this model cannot be asked or does not answer within 2 s. */
  count(ref: ModelRef, messages: readonly ChatMessage[], tools?: readonly ToolSpec[]): Promise<number | null>;
  /** Learns from one answered request. Values that look cut are ignored. */
  reported(
    ref: ModelRef,
    sent: CharCounts,
    messages: number,
    promptTokens: number,
    rates: { prefill?: number; decode?: number },
  ): void;
  /**
   * The window that a server has proved by cutting a prompt in silence: it says that it read `promptTokens` where we
   * counted `counted`. null = nothing proves a cut. What is proved is learned.
   */
  promptCut(ref: ModelRef, promptTokens: number, counted: number): Promise<number | null>;
  /** A window proved by the server's own words or counts. */
  learnWindow(ref: ModelRef, servedTokens: number): void;
  /** The server refused tools for this model: none are offered until the app starts again or the model is loaded. */
  learnNoTools(ref: ModelRef): void;
}
