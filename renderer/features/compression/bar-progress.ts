import type { Attempt } from '../../../shared/model/compression';

/** How far the bar of one attempt has ever been, as a share of its width. */
export interface BarMark {
  readonly attemptId: Attempt['id'];
  readonly share: number;
  /** True while a part is read once more: the bar stays, the words say "again". */
  readonly again: boolean;
}

/** Share of the parts that the attempt has read now, 0 to 1. */
function now(attempt: Attempt): number {
  switch (attempt.phase) {
    case 'writing':
    case 'checking':
    case 'saving':
      return 1;
    default:
      if (attempt.outcome?.kind === 'committed') return 1;
      if (attempt.chunks <= 0)
        return attempt.tokensToRead > 0 ? Math.min(1, attempt.tokensRead / attempt.tokensToRead) : 0;
      return Math.min(1, (attempt.chunksDone + Math.min(1, Math.max(0, attempt.chunkShare))) / attempt.chunks);
  }
}

/** The next mark: it never moves back within one attempt, whatever is reported. */
export function advance(mark: BarMark | null, attempt: Attempt): BarMark {
  const share = now(attempt);
  if (mark === null || mark.attemptId !== attempt.id) return { attemptId: attempt.id, share, again: false };
  return { attemptId: attempt.id, share: Math.max(mark.share, share), again: share < mark.share };
}

/** Fill of each segment, 0 to 1; one segment while the number of parts is unknown. */
export function segments(share: number, chunks: number): readonly number[] {
  const count = Math.max(1, chunks);
  const filled = share * count;
  return Array.from({ length: count }, (_, index) => {
    const fill = Math.min(1, Math.max(0, filled - index));
    // A share that was divided and multiplied again misses the whole segment by some 1e-16.
    return fill > 1 - 1e-9 ? 1 : fill < 1e-9 ? 0 : fill;
  });
}
