import type { MessageId, ModelRef } from '../../../shared/model/ids';
import { request } from '../../bridge/request';
import { appStore } from '../../stores/app-store';
import { openSession } from '../../stores/open-session';
import { sessionStore } from '../../stores/session-store';
import { isStale, quickStore } from './quick-state';

/** Leaves the session as it is and begins anew with the next question. */
export function beginAnew(): void {
  sessionStore.getState().viewClosed();
  appStore.getState().sessionShown(null);
}

/** The window was summoned: after a while without use it begins anew; an answer that still comes is never left. */
export function summoned(now: number): void {
  const { growing } = sessionStore.getState();
  if (isStale(quickStore.getState().usedAt, now) && Object.keys(growing).length === 0) beginAnew();
  quickStore.getState().summoned(now);
}

/**
 * Asks in the session of this summons; the first question makes it.
 * @throws AppError when main refuses; then nothing was accepted.
 */
export async function askQuestion(text: string, now: number): Promise<void> {
  quickStore.getState().used(now);
  if (sessionStore.getState().sessionId === null) {
    const view = await request('sessions.create', { model: quickStore.getState().model });
    await openSession(view.session.id, null);
  }
  const { sessionId, branchId } = sessionStore.getState();
  if (sessionId === null || branchId === null) return;
  await request('messages.send', { sessionId, branchId, id: crypto.randomUUID() as MessageId, text });
}

/** Chooses for the session of this summons, or for the one that begins with the next question. */
export async function chooseModel(model: ModelRef): Promise<void> {
  const { sessionId } = sessionStore.getState();
  quickStore.getState().modelChosen(model);
  if (sessionId !== null) await request('sessions.chooseModel', { sessionId, model });
}

/** Goes on in the main window; this one is then ready for another question. */
export async function moveToMain(): Promise<void> {
  const { sessionId } = sessionStore.getState();
  if (sessionId === null) return;
  await request('quickChat.moveToMain', { sessionId });
  beginAnew();
}

export async function changePin(pinned: boolean): Promise<void> {
  await request('quickChat.pin', { pinned });
  quickStore.getState().pinChanged(pinned);
}
