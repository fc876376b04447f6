/** Stores what `backoff` computes. A strategy without a backoff (extract) is passed over. */
import type { FailureKind, Strategy } from '../../shared/model/compression';
import type { AttemptId, SessionId } from '../../shared/model/ids';
import { type BackoffStrategy, getBackoff, putBackoff } from '../db/backoffs-table';
import { getSession } from '../db/sessions-table';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import { afterFailure, afterNothingToGain } from './backoff';

const hasBackoff = (strategy: Strategy): strategy is BackoffStrategy => strategy !== 'extract';

export function armBackoff(
  seam: WriteSeam,
  clock: Clock,
  sessionId: SessionId,
  attemptId: AttemptId,
  strategy: Strategy,
  kind: FailureKind,
  error: string | null,
): void {
  if (!hasBackoff(strategy)) return;
  const write = seam.persist(
    sessionId,
    (tx) => {
      const next = afterFailure(getBackoff(tx, sessionId, strategy), {
        strategy,
        kind,
        attemptId,
        now: clock.wall(),
        error,
      });
      if (next) putBackoff(tx, sessionId, next);
    },
    { first: true },
  );
  write.catch(() => {});
}

export function awaitGrowth(
  seam: WriteSeam,
  clock: Clock,
  sessionId: SessionId,
  attemptId: AttemptId,
  strategy: Strategy,
): void {
  if (!hasBackoff(strategy)) return;
  const write = seam.persist(sessionId, (tx) => {
    const previous = getBackoff(tx, sessionId, strategy);
    if ((previous?.attemptId ?? 0) > attemptId) return; // a newer attempt has set it
    const chars = getSession(tx, sessionId)?.chars ?? 0;
    putBackoff(tx, sessionId, afterNothingToGain(previous, strategy, attemptId, chars, clock.wall()));
  });
  write.catch(() => {});
}
