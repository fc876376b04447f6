import type { AttachmentHash } from '../../../shared/model/attachment';
import type { MessageId, SessionId } from '../../../shared/model/ids';
import { request } from '../../bridge/request';
import { jumpStore } from '../../stores/jump-store';
import { newChat } from '../../stores/open-session';
import { isBusy, sessionStore } from '../../stores/session-store';

/** A message that main may or may not have taken: the same text again goes out under the same id, so it is never doubled. */
let unsure: {
  readonly sessionId: SessionId;
  readonly id: MessageId;
  readonly text: string;
  readonly attachments: readonly AttachmentHash[];
} | null = null;

/**
 * Sends a text with files of the draft in the open session, or in a new one where none is open. The id is minted here.
 * @throws AppError when main refuses; then the message is not accepted.
 */
export async function sendMessage(text: string, attachments: readonly AttachmentHash[]): Promise<void> {
  if (sessionStore.getState().sessionId === null) await newChat();
  const { sessionId, branchId } = sessionStore.getState();
  if (sessionId === null || branchId === null) return;
  const same =
    unsure?.sessionId === sessionId && unsure.text === text && unsure.attachments.join() === attachments.join();
  const message = (same ? unsure : null) ?? { sessionId, id: crypto.randomUUID() as MessageId, text, attachments };
  unsure = message;
  // The reader goes with his message. One that waits appears in the dock, so he may go on reading where he is.
  if (!isBusy(sessionStore.getState())) jumpStore.getState().endWanted();
  await request('messages.send', { sessionId, branchId, id: message.id, text, attachments: [...attachments] });
  if (unsure === message) unsure = null;
}
