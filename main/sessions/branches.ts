/** Editing and answering again start a branch; nothing is overwritten. */
import { AppError } from '../../shared/errors';
import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import { insertFork, ownerOf, pathOf } from '../db/branches-table';
import { messagesBefore, messagesBetween, type StoredMessage } from '../db/messages-table';
import { openTurn } from '../db/turns-table';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import type { TurnRunner } from '../turns/runner';

export interface BranchesEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly turns: TurnRunner;
}

/** The edited text stands in the place of that user message, on a branch of its own, and is answered. */
export async function editMessage(
  env: BranchesEnv,
  edit: { sessionId: SessionId; branchId: BranchId; seq: number; id: MessageId; text: string },
): Promise<BranchId> {
  const message = messageAt(env, edit.branchId, edit.seq);
  if (message.role !== 'user') throw new AppError('not-found', { what: 'message' });
  const branchId = await fork(env, edit.sessionId, edit.branchId, edit.seq - 1);
  await env.turns.send({ ...edit, branchId });
  return branchId;
}

/** Answers the question before that answer once more, on a branch of its own. */
export async function answerAgain(
  env: BranchesEnv,
  again: { sessionId: SessionId; branchId: BranchId; seq: number },
): Promise<BranchId> {
  const { db } = env.seam;
  const question = messagesBefore(db, again.branchId, again.seq, 100).find((message) => message.role === 'user');
  if (!question) throw new AppError('not-found', { what: 'message' });
  const branchId = await fork(env, again.sessionId, again.branchId, question.seq);
  await env.turns.answer(again.sessionId, branchId, question.rid, false);
  return branchId;
}

function messageAt(env: BranchesEnv, branchId: BranchId, seq: number): StoredMessage {
  const [message] = messagesBetween(env.seam.db, branchId, seq, seq);
  if (!message) throw new AppError('not-found', { what: 'message' });
  return message;
}

/** @throws AppError `turn-running`: a branch that begins with a turn needs the session to be free. */
function fork(env: BranchesEnv, sessionId: SessionId, branchId: BranchId, forkSeq: number): Promise<BranchId> {
  return env.seam.write(sessionId, (tx) => {
    if (openTurn(tx, sessionId)) throw new AppError('turn-running');
    const parentId = ownerOf(pathOf(tx, branchId), forkSeq);
    return insertFork(tx, { sessionId, parentId, forkSeq, now: env.clock.wall() });
  });
}
