import type { BranchId, MessageId } from '../../../shared/model/ids';
import { request } from '../../bridge/request';
import { jumpStore } from '../../stores/jump-store';
import { openSession } from '../../stores/open-session';
import { sessionStore } from '../../stores/session-store';

function here() {
  const { sessionId, branchId } = sessionStore.getState();
  return sessionId === null || branchId === null ? null : { sessionId, branchId };
}

/** Starts a branch with the edited text in the place of a user message, and shows it. */
export async function sendEdited(seq: number, text: string): Promise<void> {
  const place = here();
  if (!place) return;
  const id = crypto.randomUUID() as MessageId;
  const branchId = await request('messages.edit', { ...place, seq, id, text });
  if (sessionStore.getState().sessionId === place.sessionId) await openSession(place.sessionId, branchId);
}

/** Answers the turn of an answer once more, on a branch of its own, and shows it. */
export async function answerAgain(seq: number): Promise<void> {
  const place = here();
  if (!place) return;
  const branchId = await request('messages.answerAgain', { ...place, seq });
  if (sessionStore.getState().sessionId === place.sessionId) await openSession(place.sessionId, branchId);
}

/** Shows another version of a message, at the same message. */
export async function showBranch(branchId: BranchId, seq: number): Promise<void> {
  const place = here();
  if (!place) return;
  await openSession(place.sessionId, branchId);
  jumpStore.getState().messageWanted(seq, null);
}

/** Asks for the answer that is still due: to a question, or after the results of its tools. */
export async function sendAgain(): Promise<void> {
  const place = here();
  if (place) await request('turns.sendAgain', place);
}

export async function continueAnswer(): Promise<void> {
  const place = here();
  if (place) await request('turns.continue', place);
}
