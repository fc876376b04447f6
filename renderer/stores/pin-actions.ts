import i18next from 'i18next';
import type { MessageId } from '../../shared/model/ids';
import type { Excerpt, Pin } from '../../shared/model/pin';
import { request } from '../bridge/request';
import { isCovered } from './covered';
import { sessionStore } from './session-store';
import { toastStore, told } from './toast-store';

/**
 * Keeps a message, or a passage of it, word for word.
 * @throws AppError when main refuses.
 */
export async function pin(
  message: { readonly id: MessageId; readonly seq: number },
  excerpt: Excerpt | null,
): Promise<void> {
  const { sessionId } = sessionStore.getState();
  if (sessionId === null) return;
  await request('pins.add', { sessionId, messageId: message.id, excerpt });
  // in the tail its mark says enough; over a fold it also changes what was sent before
  if (!isCovered(message.seq)(sessionStore.getState())) return;
  toastStore.getState().happened({ kind: 'done', text: i18next.t('transcript.pin.pinnedCovered'), undo: null });
}

/**
 * Takes pins of one message away, with a way back.
 * @throws AppError when main refuses.
 */
export async function unpin(pins: readonly Pin[]): Promise<void> {
  const { sessionId } = sessionStore.getState();
  const [first] = pins;
  if (sessionId === null || !first) return;
  for (const { id } of pins) await request('pins.remove', { sessionId, pinId: id });
  const again = async () => {
    for (const { messageId, excerpt } of pins) await request('pins.add', { sessionId, messageId, excerpt });
  };
  const covered = isCovered(first.seq)(sessionStore.getState());
  toastStore.getState().happened({
    kind: 'done',
    text: i18next.t(covered ? 'transcript.pin.unpinnedCovered' : 'transcript.pin.unpinned'),
    undo: { label: i18next.t('app.undo'), of: sessionId, run: () => void told(again()) },
  });
}
