import type { Attempt } from '../../../shared/model/compression';
import type { Notice } from '../../../shared/model/notice';
import { endsByItself, type Turn } from '../../../shared/model/turn';

/** What the waiting messages wait for; null = a notice above says it already. */
export type OutboxWait = 'answer' | 'compression' | 'elsewhere' | 'click' | 'next' | null;

export function outboxWait(turn: Turn | null, attempt: Attempt | null, notices: readonly Notice[]): OutboxWait {
  if (notices.some((notice) => notice.kind === 'provider-away')) return null;
  if (turn?.elsewhere || notices.some((notice) => notice.kind === 'answered-elsewhere')) return 'elsewhere';
  if (notices.some((notice) => notice.kind === 'waiting-messages')) return 'click';
  switch (turn?.state) {
    case 'queued':
    case 'preparing':
    case 'requesting':
    case 'streaming':
    case 'tools':
      return attempt?.outcome === null && attempt.turnWaits ? 'compression' : 'answer';
    case 'compressing':
      return 'compression';
    case 'deferred':
      return turn.reason?.state === 'deferred' && !endsByItself(turn.reason.why) ? 'click' : 'answer';
    case 'exhausted':
    case 'failed':
    case 'interrupted':
      return 'click';
    case 'completed':
    case 'stopped':
    case undefined:
      return 'next';
  }
}
