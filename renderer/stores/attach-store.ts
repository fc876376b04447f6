import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { MESSAGE_MAX } from '../../shared/ipc/contract';
import type { AttachmentHash, RefusedFile } from '../../shared/model/attachment';
import type { SessionId } from '../../shared/model/ids';
import { asAppError, request } from '../bridge/request';
import { newChat } from './open-session';
import { sessionStore } from './session-store';

/** Dropped or chosen files that one request takes: the contract's limit. */
const MOST = 50;

interface AttachState {
  /** Files of each session that were not attached, until they are dismissed or others are. */
  readonly refused: Readonly<Record<SessionId, readonly RefusedFile[]>>;
  refusedChanged(sessionId: SessionId, refused: readonly RefusedFile[]): void;
}

export const attachStore = createStore<AttachState>()((set) => ({
  refused: {},
  refusedChanged: (sessionId, refused) => set((state) => ({ refused: { ...state.refused, [sessionId]: refused } })),
}));

const none: readonly RefusedFile[] = [];

export function useRefused(sessionId: SessionId | null): readonly RefusedFile[] {
  return useStore(attachStore, (state) => (sessionId === null ? none : (state.refused[sessionId] ?? none)));
}

/** The open session, or a new one where none is open. */
async function here(): Promise<SessionId | null> {
  if (sessionStore.getState().sessionId === null) await newChat();
  return sessionStore.getState().sessionId;
}

/** Attaches files to the draft; without any, those that are chosen in a dialog. What is refused is told over the field. */
export function attachFiles(files: readonly File[]): Promise<void> {
  return attach('', (sessionId) =>
    request('attachments.add', { sessionId, files: files.length > 0 ? files.slice(0, MOST) : 0 }),
  );
}

/** Attaches a text that is too long for the field. */
export function attachText(name: string, text: string): Promise<void> {
  return attach(name, async (sessionId) => {
    if (text.length > MESSAGE_MAX)
      return [{ name, code: 'attachment-too-long', fields: { file: name, limit: MESSAGE_MAX } }];
    await request('attachments.paste', { sessionId, name, text });
    return none;
  });
}

/** Attaches a picture out of the clipboard, which lies in no file. */
export function attachImage(name: string, image: File): Promise<void> {
  return attach(name, async (sessionId) => {
    const bytes = new Uint8Array(await image.arrayBuffer());
    await request('attachments.pasteImage', { sessionId, name, bytes });
    return none;
  });
}

async function attach(name: string, work: (sessionId: SessionId) => Promise<readonly RefusedFile[]>): Promise<void> {
  const sessionId = await here();
  if (sessionId === null) return;
  const { refusedChanged } = attachStore.getState();
  refusedChanged(sessionId, none);
  try {
    refusedChanged(sessionId, await work(sessionId));
  } catch (thrown) {
    const { code, fields } = asAppError(thrown);
    refusedChanged(sessionId, [{ name, code, fields }]);
  }
}

/** @throws AppError when main refuses. */
export async function detach(hash: AttachmentHash): Promise<void> {
  const { sessionId } = sessionStore.getState();
  if (sessionId !== null) await request('attachments.remove', { sessionId, hash });
}
