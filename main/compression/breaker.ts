/**
 * The frequency breaker: stops automatic compression in a session where it does not pay. Pure. Source of all numbers:
 * design, section 5, "Backoff". A summary that helps little is asked for again and again otherwise.
 */
import type { BreakerTrip } from '../../shared/model/compression';

/** One committed automatic attempt. */
export interface PastCommit {
  /** Share of the whole request that it took away, 0 to 1; null = not known. */
  readonly gain: number | null;
  /** Wall-clock milliseconds. */
  readonly at: number;
}

/** A commit that takes away less of the request than this gained nothing. */
const SMALL_GAIN = 0.1;
/** So many of those in a row are enough. */
const SMALL_IN_A_ROW = 2;
/** So many commits within the hour, of which the last few bought fewer than so many user turns each. */
const OFTEN = { times: 6, withinMs: 3_600_000, last: 3, turns: 2 } as const;

/**
 * Looks at the automatic commits since the breaker was last closed, oldest first, the newest one included.
 * `turnsBetween(from, to)` = user turns that began after the one time and up to the other, in wall-clock milliseconds.
 */
export function tripOf(
  commits: readonly PastCommit[],
  turnsBetween: (fromMs: number, toMs: number) => number,
): BreakerTrip | null {
  const lastGains = commits.slice(-SMALL_IN_A_ROW).map((commit) => commit.gain);
  const small = lastGains.filter((gain): gain is number => gain !== null && gain < SMALL_GAIN);
  if (small.length === SMALL_IN_A_ROW) return { kind: 'small-gains', gains: small };

  const newest = commits.at(-1);
  if (!newest) return null;
  const recent = commits.filter((commit) => commit.at > newest.at - OFTEN.withinMs && commit.at <= newest.at);
  if (recent.length < OFTEN.times) return null;
  const turns = recent.slice(-OFTEN.last).map((commit, index) => {
    const before = recent[recent.length - OFTEN.last + index - 1];
    return before ? turnsBetween(before.at, commit.at) : Number.POSITIVE_INFINITY;
  });
  return turns.every((many) => many < OFTEN.turns) ? { kind: 'too-often', times: recent.length, turns } : null;
}
