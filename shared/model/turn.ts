import type { ErrorCode, ErrorFields } from '../errors';
import type { BranchId, MessageId, TurnId } from './ids';

export const openTurnStates = [
  'queued',
  'preparing',
  'compressing',
  'requesting',
  'streaming',
  'tools',
  'deferred',
] as const;
export type OpenTurnState = (typeof openTurnStates)[number];
export const endedTurnStates = ['completed', 'stopped', 'interrupted', 'exhausted', 'failed'] as const;
export type EndedTurnState = (typeof endedTurnStates)[number];
export type TurnState = OpenTurnState | EndedTurnState;

/** Why nothing was sent. The first five end by themselves, the others wait for the user's click. */
export type DeferReason =
  | { readonly kind: 'lease-held'; readonly holder: string; readonly fits: boolean }
  | { readonly kind: 'backoff'; readonly until: number }
  | { readonly kind: 'worker-exiting' }
  | { readonly kind: 'model-busy' }
  /** `chat` = another chat of this app is answered by it; `server` = it asks to be left alone for a while. */
  | { readonly kind: 'server-busy'; readonly by: 'chat' | 'server' }
  | { readonly kind: 'auto-off' }
  | { readonly kind: 'breaker-open' }
  | { readonly kind: 'review-pending' }
  | { readonly kind: 'after-restart' };

/** What an exhausted turn names: both numbers, in tokens. */
export interface Exhausted {
  readonly needTokens: number;
  readonly windowTokens: number;
  /** What the window leaves for a request: the rest is kept for its answer. Missing in rows of older versions. */
  readonly usableTokens?: number;
}

export type TurnReason =
  | { readonly state: 'deferred'; readonly why: DeferReason }
  | { readonly state: 'exhausted'; readonly why: Exhausted }
  | { readonly state: 'failed'; readonly code: ErrorCode; readonly fields: ErrorFields };

export interface Turn {
  readonly id: TurnId;
  readonly branchId: BranchId;
  /** The user message it answers. */
  readonly messageId: MessageId;
  readonly state: TurnState;
  readonly reason: TurnReason | null;
  /** Wall-clock milliseconds of the next try by itself; null = none is planned. */
  readonly retryAt: number | null;
  /** True where another window of this profile runs the turn. */
  readonly elsewhere: boolean;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** True of a turn that only a click takes further: nothing holds its lease, and any window may take the click. */
export function waitsForClick(reason: TurnReason | null): boolean {
  return reason?.state === 'deferred' && !endsByItself(reason.why);
}

/** Self-ending deferrals keep the turn lease and resume by themselves; the others are the user's. */
export function endsByItself(reason: DeferReason): boolean {
  switch (reason.kind) {
    case 'lease-held':
    case 'backoff':
    case 'worker-exiting':
    case 'model-busy':
    case 'server-busy':
      return true;
    case 'auto-off':
    case 'breaker-open':
    case 'review-pending':
    case 'after-restart':
      return false;
  }
}
