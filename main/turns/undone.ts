/** What the end of a path leaves undone, for "Send again" and "Continue". Reads only. */
import type { BranchId, SessionId } from '../../shared/model/ids';
import type { ReadDb } from '../db/database';
import { lastSeq, messagesBefore, type StoredMessage } from '../db/messages-table';
import { firstInOutbox } from '../db/outbox-table';
import { lastTurn, type StoredTurn } from '../db/turns-table';

export function newestOn(db: ReadDb, branchId: BranchId): StoredMessage | undefined {
  return messagesBefore(db, branchId, lastSeq(db, branchId) + 1, 1)[0];
}

/** The newest user message of the path. */
export function questionOn(db: ReadDb, branchId: BranchId): StoredMessage | null {
  for (let before = lastSeq(db, branchId) + 1; before > 1; ) {
    const page = messagesBefore(db, branchId, before, 50);
    const question = page.find((message) => message.role === 'user');
    if (question || page.length === 0) return question ?? null;
    before = page.at(-1)?.seq ?? 1;
  }
  return null;
}

/**
 * The question whose answer is still due where no turn is open: one without an answer, unless it was stopped and newer
 * ones wait; one whose answer the newest turn did not bring to its end, unless newer ones wait. null = nothing is due.
 */
export function undoneQuestion(db: ReadDb, sessionId: SessionId, branchId: BranchId): StoredMessage | null {
  const turn = lastTurn(db, sessionId);
  const newest = newestOn(db, branchId);
  const waits = firstInOutbox(db, sessionId) !== null;
  const isDone =
    newest?.role === 'assistant'
      ? waits || turn?.branchId !== branchId || turn.state === 'completed' || isWholeOf(turn, newest)
      : waits && turn?.state === 'stopped';
  return isDone ? null : questionOn(db, branchId);
}

/** True of an answer that its turn brought to its end, whatever became of the turn then. */
function isWholeOf(turn: StoredTurn, answer: StoredMessage): boolean {
  return answer.turnId === turn.id && answer.status === 'complete';
}
