/** A tool, and where a turn finds those it may offer. Tool servers and file tools are further sources of the same. */
import type { BranchId, SessionId, ToolServerId } from '../../shared/model/ids';
import type { ToolSpec } from '../hosts/protocol';
import type { TokenRates } from '../providers/registry-types';

/** What the user is asked about before a call of this tool runs, and what the answer is bound to. */
export interface Approval {
  readonly serverId: ToolServerId;
  /** What the user calls the server. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** What the server runs as: its command line or address. */
  readonly runs: string;
  /** Hash of that and of the tool's name, description and schema: any change asks again. */
  readonly boundTo: Buffer;
}

export interface Tool extends ToolSpec {
  /** `none` = it only reads what the user gave: this session, the clock, a granted folder. */
  readonly approval: 'none' | Approval;
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
  /** A request is about to be put together: what it offers is got ready in the background. */
  needed(): void;
  /** The tools a request of this scope offers, in a stable order: their list is part of the prompt's prefix. */
  toolsFor(scope: ToolScope): readonly Tool[];
}
