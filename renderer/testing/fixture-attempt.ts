import type { Attempt } from '../../shared/model/compression';
import type { AttemptId } from '../../shared/model/ids';
import type { Turn } from '../../shared/model/turn';
import { branch, message, session } from './fixture-data';

/** An attempt in the middle of its reading: part 3 of 9. */
export function fixtureAttempt(change: Partial<Attempt> = {}): Attempt {
  return {
    id: 1 as AttemptId,
    sessionId: session(1),
    branchId: branch(1),
    need: 'must',
    trigger: 'hard-mark',
    strategy: 'summarize',
    phase: 'reading',
    chunksDone: 2,
    chunks: 9,
    chunkShare: 0.62,
    reading: { from: 71, to: 98 },
    tokensToRead: 41_300,
    tokensRead: 12_040,
    tokensWritten: 318,
    model: 'qwen3:30b',
    noModel: null,
    newestLine: { section: 'decisions', text: 'Cut over on Sunday 02:00 to 04:00.' },
    text: 'Decisions: cut over on Sunday 02:00 to 04:00.',
    paused: false,
    turnWaits: false,
    elsewhere: false,
    startedAt: 1_000_000,
    endedAt: null,
    outcome: null,
    tokensBefore: null,
    tokensShown: null,
    tokensAfter: null,
    pausedUntil: null,
    ...change,
  };
}

/** A turn that streams its answer. */
export function fixtureTurn(change: Partial<Turn> = {}): Turn {
  return {
    id: 7 as Turn['id'],
    branchId: branch(1),
    messageId: message(1),
    state: 'streaming',
    reason: null,
    retryAt: null,
    elsewhere: false,
    startedAt: 1_000_000,
    endedAt: null,
    ...change,
  };
}
