/** Facts a user must be able to read as long as they are true, computed from their causes. Pure. */
import { assertNever } from '../../shared/exhaustive';
import type { ContextUse } from '../../shared/model/context';
import type { BranchId } from '../../shared/model/ids';
import type { Notice } from '../../shared/model/notice';
import type { Provider } from '../../shared/model/provider';
import type { Exhausted, Turn } from '../../shared/model/turn';
import { isPaused, remainingMs } from '../compression/backoff';
import { tripStored } from '../compression/breaker-store';
import type { RecoverState } from '../compression/recover';
import type { StoredBackoff } from '../db/backoffs-table';
import type { StoredNotice } from '../db/notices-table';
import type { StoredSession } from '../db/sessions-table';

export interface NoticeFacts {
  readonly session: StoredSession;
  /** The path that is shown. */
  readonly path: BranchId;
  readonly turn: Turn | null;
  /** True where an answer ends the path: what a turn asks for is its rest. */
  readonly endsWithAnswer: boolean;
  readonly outbox: number;
  /** Path of the summary that waits for a review; null = none does. */
  readonly proposal: BranchId | null;
  /** True where the newest summary that was up for a review was accepted. */
  readonly accepted: boolean;
  /** What came of the user's Recover so far; null = there is none. */
  readonly recover: RecoverState | null;
  readonly backoffs: readonly StoredBackoff[];
  readonly stored: readonly StoredNotice[];
  /** Wall-clock milliseconds. */
  readonly now: number;
  /** The setting for all sessions. */
  readonly automaticEverywhere: boolean;
  readonly provider: Provider | null;
  /** What the next request would send; null = there is no model. */
  readonly use: ContextUse | null;
}

/** Most pressing first. */
export function noticesOf(facts: NoticeFacts): Notice[] {
  return [
    ...turnNotices(facts),
    ...outboxNotices(facts),
    ...recoverNotices(facts),
    ...reviewNotices(facts),
    ...compressionNotices(facts),
    ...modelNotices(facts),
    ...storedNotices(facts),
  ];
}

function recoverNotices({ recover }: NoticeFacts): Notice[] {
  switch (recover?.at) {
    case undefined:
      return [];
    case 'watching':
      return [{ kind: 'recovering', until: recover.until }];
    case 'alive':
      return [{ kind: 'recover-alive' }];
    case 'refused':
      return [{ kind: 'recover-refused', code: recover.error.code, fields: recover.error.fields }];
    default:
      return assertNever(recover);
  }
}

/** What a turn waits for says its own notice. */
function reviewNotices({ turn, proposal }: NoticeFacts): Notice[] {
  const waits = turn?.reason?.state === 'deferred' && turn.reason.why.kind === 'review-pending';
  return proposal === null || waits ? [] : [{ kind: 'proposal', branchId: proposal }];
}

const AFTER_RESTART = { kind: 'after-restart' } as const;

function turnNotices(facts: NoticeFacts): Notice[] {
  const { path, turn, endsWithAnswer: hasText, proposal, accepted } = facts;
  if (!turn) return [];
  // what became of another version of the chat is said there: what the notice offers would be done here
  if (turn.endedAt !== null && turn.branchId !== path) return [];
  if (turn.elsewhere) return [{ kind: 'answered-elsewhere' }];
  const { reason, retryAt } = turn;
  if (turn.state === 'deferred' && reason?.state === 'deferred') {
    const { why } = reason;
    // accepted in a window that went with its word
    if (why.kind === 'review-pending' && accepted)
      return [{ kind: 'deferred', why: AFTER_RESTART, retryAt, canSendNow: false, hasText }];
    if (waitsForAutomatic(turn) && automaticOn(facts)) return [{ kind: 'sendable', because: 'automatic-on', hasText }];
    if (why.kind === 'review-pending' && proposal === null) return [{ kind: 'review-rejected', hasText }];
    const canSendNow = why.kind === 'server-busy' || (why.kind === 'lease-held' && why.fits);
    return [{ kind: 'deferred', why, retryAt, canSendNow, hasText }];
  }
  if (reason?.state === 'exhausted')
    return roomFor(reason.why, facts.use)
      ? [{ kind: 'sendable', because: 'fits', hasText }]
      : [{ kind: 'exhausted', numbers: reason.why }];
  if (reason?.state === 'failed') return [{ kind: 'turn-failed', code: reason.code, fields: reason.fields, hasText }];
  if (turn.state === 'interrupted') return [{ kind: 'turn-interrupted', hasText }];
  return [];
}

/** Only a larger window tells: what was counted then is more exact than what is estimated now. */
function roomFor({ needTokens, windowTokens }: Exhausted, use: ContextUse | null): boolean {
  const window = use?.window ?? 0;
  return use !== null && window > windowTokens && needTokens <= window - use.reserve;
}
/** It was not compressed because that was off. */
function waitsForAutomatic(turn: Turn | null): boolean {
  const reason = turn?.reason;
  return reason?.state === 'deferred' && (reason.why.kind === 'auto-off' || reason.why.kind === 'breaker-open');
}
function automaticOn({ session, automaticEverywhere }: NoticeFacts): boolean {
  return session.automatic === 'on' && automaticEverywhere;
}

/** Waiting messages that nothing will send by itself. */
function outboxNotices({ turn, outbox }: NoticeFacts): Notice[] {
  const running = turn !== null && turn.endedAt === null;
  return outbox > 0 && !running ? [{ kind: 'waiting-messages', count: outbox }] : [];
}

function compressionNotices(facts: NoticeFacts): Notice[] {
  const { session, turn, backoffs, now, use, automaticEverywhere } = facts;
  if (waitsForAutomatic(turn)) return []; // its own notice says it
  if (session.automatic === 'breaker')
    return [{ kind: 'automatic-off', by: 'breaker', trip: tripStored(session.automaticWhy) }];
  // only past the hard mark does a pause of compression matter to the user
  if (use === null || use.hardMark === null || use.total < use.hardMark) return [];
  if (session.automatic === 'off') return [{ kind: 'automatic-off', by: 'user' }];
  if (!automaticEverywhere) return [{ kind: 'automatic-off', by: 'everywhere' }];
  return backoffs
    .filter((backoff) => isPaused(backoff, now, session.chars))
    .map((backoff) => ({
      kind: 'backoff',
      strategy: backoff.strategy,
      failure: backoff.kind,
      until: backoff.durationMs === null ? null : now + remainingMs(backoff, now),
      times: backoff.rung,
    }));
}

function modelNotices({ provider, use }: NoticeFacts): Notice[] {
  if (use === null) return [{ kind: 'no-model' }];
  if (!provider) return [];
  const { name, state } = provider;
  switch (state.kind) {
    case 'offline':
      return [{ kind: 'provider-away', name, nextTryAt: state.nextTryAt }];
    case 'asking':
      return state.away ? [{ kind: 'provider-away', name, nextTryAt: null }] : [];
    case 'ready':
      return use.window === null ? [{ kind: 'window-unknown' }] : [];
    case 'refused': // its answer to a message says why
      return [];
    default:
      return assertNever(state);
  }
}

/** That a window was learned is told for as long as it is the one that counts. */
function storedNotices({ stored, use }: NoticeFacts): Notice[] {
  return stored
    .map(({ notice }) => notice)
    .filter((notice) => notice.kind !== 'window-learned' || notice.served === use?.window);
}
