/** A tool, and where a turn finds those it may offer. Tool servers and file tools are further sources of the same. */
import type { BranchId, SessionId } from '../../shared/model/ids';
import type { ToolSpec } from '../hosts/protocol';
import type { TokenRates } from '../providers/registry-types';

export interface Tool extends ToolSpec {
  /** What a call needs before it runs. `none` = it only reads this session. */
  readonly approval: 'none';
  /** Milliseconds; null = it may take as long as it likes, and the user has Stop. */
  readonly deadlineMs: number | null;
  /** True where its results only quote this session: they are left out of the search index. */
  readonly quotes: boolean;
  /**
   * Runs one call. The result is text for the model. Whatever it rejects with is told to the model as the result, an
   * AbortError of its signal apart. `progress` takes one line for the user.
   */
  run(args: Readonly<Record<string, unknown>>, signal: AbortSignal, progress: (line: string) => void): Promise<string>;
}

export interface ToolScope {
  readonly sessionId: SessionId;
  /** The path that the turn runs on. */
  readonly branchId: BranchId;
  /** Ranges of this path that a summary stands for, in order. */
  readonly covered: readonly { readonly from: number; readonly to: number }[];
  /** Tokens that one result may have before it is shortened. */
  readonly resultTokens: number;
  readonly rates: TokenRates;
}

export interface Toolbox {
  /** The tools a request of this scope offers, in a stable order: their list is part of the prompt's prefix. */
  toolsFor(scope: ToolScope): readonly Tool[];
}
