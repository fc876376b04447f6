import type { ErrorCode, ErrorFields } from '../errors';
import type { BreakerTrip, FailureKind, Strategy } from './compression';
import type { BranchId } from './ids';
import type { DeferReason, Exhausted } from './turn';

/**
 * Facts that stay readable as long as they are true, most pressing first.
 * They are computed from lease, backoff, turn and provider state; only the last two kinds are stored.
 */
export type Notice =
  /** `hasText`, here and below = a part of the answer came before. */
  | {
      readonly kind: 'deferred';
      readonly why: DeferReason;
      readonly retryAt: number | null;
      readonly canSendNow: boolean;
      readonly hasText: boolean;
    }
  | { readonly kind: 'exhausted'; readonly numbers: Exhausted }
  | {
      readonly kind: 'turn-failed';
      readonly code: ErrorCode;
      readonly fields: ErrorFields;
      readonly hasText: boolean;
    }
  | { readonly kind: 'turn-interrupted'; readonly hasText: boolean }
  | { readonly kind: 'waiting-messages'; readonly count: number }
  | { readonly kind: 'answered-elsewhere' }
  /** A summary waits for the user's word; `branchId` = the path it was made on. */
  | { readonly kind: 'proposal'; readonly branchId: BranchId }
  /** What was exhausted fits by now; what waited while automatic compression was off can go, as it is on again. */
  | { readonly kind: 'sendable'; readonly because: 'fits' | 'automatic-on'; readonly hasText: boolean }
  /** A message waits that does not fit, and the summary that would have made room was rejected. */
  | { readonly kind: 'review-rejected'; readonly hasText: boolean }
  /** "Recover": this window watches the one that holds the compression, until that wall-clock time in milliseconds. */
  | { readonly kind: 'recovering'; readonly until: number }
  /** The other window gave a sign of life: nothing was taken. */
  | { readonly kind: 'recover-alive' }
  /** It could be taken over, but the compression was refused. */
  | { readonly kind: 'recover-refused'; readonly code: ErrorCode; readonly fields: ErrorFields }
  | {
      readonly kind: 'backoff';
      readonly strategy: Strategy;
      readonly failure: FailureKind | 'nothing-to-gain';
      /** Wall-clock milliseconds; null for nothing-to-gain, which ends by growth. */
      readonly until: number | null;
      readonly times: number;
    }
  | {
      readonly kind: 'automatic-off';
      readonly by: 'user' | 'everywhere';
    }
  | { readonly kind: 'automatic-off'; readonly by: 'breaker'; readonly trip: BreakerTrip | null }
  | { readonly kind: 'window-unknown' }
  | { readonly kind: 'provider-away'; readonly name: string; readonly nextTryAt: number | null }
  | { readonly kind: 'no-model' }
  | { readonly kind: 'window-learned'; readonly id: number; readonly served: number; readonly trained: number | null }
  | { readonly kind: 'answer-cut'; readonly id: number; readonly limit: number };
