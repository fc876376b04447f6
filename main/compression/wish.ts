import type { Need, Strategy, Trigger } from '../../shared/model/compression';
import type { BranchId, SessionId, SummaryId, TurnId } from '../../shared/model/ids';
import type { ModelFacts } from '../providers/registry-types';
import type { Range } from './plan';
import type { Marks } from './policy';

/** What somebody wants compressed: the coordinator starts an attempt for it, joins a running one, or skips it. */
export interface Wish {
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly need: Need;
  readonly trigger: Trigger;
  readonly turnId: TurnId | null;
  /** What the user chose, for `manual`. */
  readonly chosen: readonly Strategy[] | null;
  /** What the user chose to cover; null = what the rules say. */
  readonly range: Range | null;
  /** The proposal that the user accepted: it has only to be saved. null = a summary is to be made. */
  readonly accepts: SummaryId | null;
  readonly model: ModelFacts;
  readonly marks: Marks;
  /** A bulky tool result is among what the next request would send. */
  readonly bulkyResults: boolean;
  /** Tokens of a request that no compression makes fewer: system prompt, tools, pins. */
  readonly fixedTokens: number;
  /** True where an overflow proven by the provider allows one real summarize in spite of a backoff. */
  readonly bypass: boolean;
}
