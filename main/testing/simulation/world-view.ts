import type { AttachmentHash } from '../../../shared/model/attachment';
import type { BranchId, MessageId, SessionId } from '../../../shared/model/ids';
import type { Process, Reading } from './process';
import type { Accepted } from './verbs';

/** What the invariants see of the world besides its database. */
export interface WorldView {
  /** Milliseconds of simulated time since the schedule began. */
  readonly now: number;
  readonly sessions: readonly { readonly sessionId: SessionId; readonly branchId: BranchId }[];
  readonly accepted: ReadonlyMap<MessageId, Accepted>;
  /** Every file that was attached, by hash. */
  readonly attached: ReadonlyMap<AttachmentHash, { readonly removed: boolean }>;
  /** Living processes, those that stand still too. */
  readonly living: readonly Process[];
  /** Summary streams that were seen, with the lease they began under. */
  readonly readings: readonly Reading[];
  /** What was seen to break in the middle of a step; each begins with the invariant's number. */
  readonly broken: readonly string[];
}
