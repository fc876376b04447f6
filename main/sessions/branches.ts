/** Editing and answering again start a branch; nothing is overwritten. */
import { AppError } from '../../shared/errors';
import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import type { Coordinator } from '../compression/coordinator';
import { insertFork, ownerOf, pathOf } from '../db/branches-table';
import type { WriteTx } from '../db/database';
import type { MessageParts } from '../db/message-parts';
import { getMessage, insertMessage, messagesBefore, messagesBetween, type StoredMessage } from '../db/messages-table';
import type { WriteSeam } from '../db/write-seam';
import type { Clock } from '../lib/clock';
import type { TurnRunner } from '../turns/runner';
import { attachedText, filesOf } from './attached-text';

export interface BranchesEnv {
  readonly seam: WriteSeam;
  readonly clock: Clock;
  readonly turns: TurnRunner;
  readonly coordinator: Pick<Coordinator, 'forked'>;
}

interface Place {
  readonly sessionId: SessionId;
  readonly branchId: BranchId;
  readonly seq: number;
}

/**
 * The edited text stands in the place of that user message, on a branch of its own, and is answered. Branch, message and
 * turn are made in one transaction; a repeated id is a no-op.
 */
export async function editMessage(env: BranchesEnv, edit: Place & { id: MessageId; text: string }): Promise<BranchId> {
  const { seam, clock } = env;
  const { sessionId, id, text } = edit;
  const known = getMessage(seam.db, id);
  if (known) return known.branchId;
  const [message] = messagesBetween(seam.db, edit.branchId, edit.seq, edit.seq);
  if (message?.role !== 'user') throw new AppError('not-found', { what: 'message' });
  return begun(env, sessionId, (tx) => {
    const branchId = forkIn(tx, edit, edit.seq - 1, clock.wall());
    const row = { id, sessionId, branchId, turnId: null, now: clock.wall() };
    const { rid } = insertMessage(tx, { ...row, ...edited(message, text), role: 'user', status: 'complete' });
    return { branchId, messageRid: rid };
  });
}

/** The new words with the files that came with the old ones. */
function edited(old: StoredMessage, typed: string): { text: string; parts?: MessageParts } {
  const attached = old.parts?.attached;
  if (!attached) return { text: typed };
  const now = attachedText(typed, filesOf(old.text, attached));
  return { text: now.text, parts: { attached: now.attached } };
}

/** Answers the question before that answer once more, on a branch of its own. */
export async function answerAgain(env: BranchesEnv, again: Place): Promise<BranchId> {
  const { seam, clock } = env;
  const question = messagesBefore(seam.db, again.branchId, again.seq, 100).find((message) => message.role === 'user');
  if (!question) throw new AppError('not-found', { what: 'message' });
  return begun(env, again.sessionId, (tx) => ({
    branchId: forkIn(tx, again, question.seq, clock.wall()),
    messageRid: question.rid,
  }));
}

/** The turn on the new branch; what was compressing for another path alone ends. */
async function begun(
  { turns, coordinator }: BranchesEnv,
  sessionId: SessionId,
  place: Parameters<TurnRunner['begin']>[1],
): Promise<BranchId> {
  const branchId = await turns.begin(sessionId, place);
  coordinator.forked(sessionId, branchId);
  return branchId;
}

function forkIn(tx: WriteTx, at: Place, forkSeq: number, now: number): BranchId {
  const parentId = ownerOf(pathOf(tx, at.branchId), forkSeq);
  return insertFork(tx, { sessionId: at.sessionId, parentId, forkSeq, now });
}
