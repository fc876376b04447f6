import type { SessionId } from '../../../shared/model/ids';
import type { Spend } from '../../../shared/model/spend';
import { spentOnAttempts } from '../attempts-table';
import { branchesOf } from '../branches-table';
import type { ReadDb } from '../database';
import { lastSeq, usagesBetween } from '../messages-table';
import type { Steps } from './read-range';

/** Messages looked at in one step. */
const PAGE = 4_000;

/** What every answer of a session and every attempt to compress it took. Paths share no rows, so each answer counts once. */
export function* spend(db: ReadDb, { sessionId }: { readonly sessionId: SessionId }): Steps<Spend> {
  let [read, written, uncounted] = [0, 0, 0];
  let peak: Spend['peak'] = null;
  for (const { id, forkSeq } of branchesOf(db, sessionId)) {
    const last = lastSeq(db, id);
    for (let from = forkSeq + 1; from <= last; from += PAGE) {
      for (const { usage, at } of usagesBetween(db, id, from, from + PAGE - 1)) {
        const { promptTokens, outputTokens } = usage;
        if (promptTokens === null) uncounted++;
        else if (promptTokens > (peak?.tokens ?? 0)) peak = { tokens: promptTokens, at };
        read += promptTokens ?? 0;
        written += outputTokens ?? 0;
      }
      yield;
    }
  }
  return { answers: { read, written }, uncounted, compressions: spentOnAttempts(db, sessionId), peak };
}
