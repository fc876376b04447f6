import i18next from 'i18next';
import type { SessionId } from '../../shared/model/ids';
import { request } from '../bridge/request';
import { appStore } from './app-store';
import { newChat, openSession } from './open-session';
import { toastStore, told } from './toast-store';

/** What is shown of a chat that has no title yet. */
export function titleOf(title: string): string {
  return title.trim() === '' ? i18next.t('sidebar.untitled') : title;
}

export function renameSession(sessionId: SessionId, title: string): void {
  void told(request('sessions.rename', { sessionId, title: title.trim() }));
}

export function pinSession(sessionId: SessionId, pinned: boolean): void {
  void told(request('sessions.pin', { sessionId, pinned }));
}

/** Moves a chat to the bin and offers the way back. When it is the open one, the chat next to it is opened. */
export async function binSession(sessionId: SessionId): Promise<void> {
  const { order, rows, currentId } = appStore.getState();
  const title = titleOf(rows[sessionId]?.title ?? '');
  const at = order.indexOf(sessionId);
  const next = order[at + 1] ?? order[at - 1];
  if (!(await told(request('sessions.bin', { sessionId })))) return;
  if (currentId === sessionId) void told(next === undefined ? newChat() : openSession(next, null));
  toastStore.getState().happened({
    kind: 'done',
    text: i18next.t('sidebar.binned', { title }),
    undo: {
      label: i18next.t('app.undo'),
      of: sessionId,
      run: () =>
        void told(
          request('sessions.restore', { sessionId }).then(() =>
            currentId === sessionId ? openSession(sessionId, null) : undefined,
          ),
        ),
    },
  });
}

/** Writes a chat as Markdown to a place that the user chooses. */
export async function exportSession(sessionId: SessionId): Promise<void> {
  let written = false;
  const went = await told(
    request('sessions.export', { sessionId }).then((answer) => {
      written = answer;
    }),
  );
  if (went && written) {
    toastStore.getState().happened({ kind: 'done', text: i18next.t('sidebar.exported'), undo: null });
  }
}

/** Imports dropped files, or without any those chosen in a dialog, and opens the first of the new chats. */
export async function importConversations(files: readonly File[]): Promise<void> {
  await told(
    request('sessions.import', { files: files.length > 0 ? files : 0 }).then(async (made) => {
      const [first] = made;
      if (first === undefined) return;
      const text = i18next.t('sidebar.imported', { count: made.length });
      toastStore.getState().happened({ kind: 'done', text, undo: null });
      await openSession(first, null);
    }),
  );
}

let asked: number | null = null;

/** Reads the next page of the list, if there is one and it is not on its way. */
export function moreSessions(): void {
  const { next } = appStore.getState();
  if (next === null || asked === next) return;
  asked = next;
  void told(
    request('sessions.list', { before: next, limit: 200, bin: false })
      .then((page) => appStore.getState().sessionsRead(page))
      .finally(() => {
        asked = null;
      }),
  );
}
