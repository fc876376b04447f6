/** Files of drafts: put there, taken out, and made part of a message. In the caller's transaction. */
import { AppError } from '../../shared/errors';
import { ATTACHED_CHARS_MAX, ATTACHMENTS_MAX, type AttachmentHash } from '../../shared/model/attachment';
import type { SessionId } from '../../shared/model/ids';
import { attachmentText, type KeptFile } from '../db/attachments-table';
import type { ReadDb, WriteTx } from '../db/database';
import type { MessageParts } from '../db/message-parts';
import { changeSession, getSession } from '../db/sessions-table';
import { attachedText } from './attached-text';

/** Adds a file to the draft of a session; the same bytes once. @throws AppError `too-many-attachments`, `attachment-too-long`. */
export function addToDraft(tx: WriteTx, sessionId: SessionId, file: KeptFile): void {
  const session = getSession(tx, sessionId);
  if (!session || session.deletedAt !== null) throw new AppError('not-found', { what: 'session' });
  const { draftFiles } = session;
  if (draftFiles.some((other) => other.hash === file.hash)) return;
  if (draftFiles.length >= ATTACHMENTS_MAX) throw new AppError('too-many-attachments', { limit: ATTACHMENTS_MAX });
  const files = [...draftFiles, file];
  const chars = files.reduce(
    (sum, { kind, chars }) => sum + (kind === 'image' ? 0 : chars.ascii + chars.cjk + chars.other),
    0,
  );
  if (chars > ATTACHED_CHARS_MAX)
    throw new AppError('attachment-too-long', { file: file.name, limit: ATTACHED_CHARS_MAX });
  changeSession(tx, sessionId, { draftFiles: files });
}

/** Takes files out of the draft, in its order. @throws AppError `not-found` where one of them is not there. */
export function takeFromDraft(tx: WriteTx, sessionId: SessionId, hashes: readonly AttachmentHash[]): KeptFile[] {
  if (hashes.length === 0) return [];
  const files = getSession(tx, sessionId)?.draftFiles ?? [];
  const taken = files.filter(({ hash }) => hashes.includes(hash));
  if (taken.length < hashes.length) throw new AppError('not-found', { what: 'attachment' });
  changeSession(tx, sessionId, { draftFiles: files.filter(({ hash }) => !hashes.includes(hash)) });
  return taken;
}

/** Text and parts of a message with these files. */
export function withFiles(
  db: ReadDb,
  typed: string,
  files: readonly KeptFile[],
): { readonly text: string; readonly parts?: MessageParts } {
  if (files.length === 0) return { text: typed };
  const read = files.map(({ chars: _, ...file }) => {
    const text = file.kind === 'image' ? '' : attachmentText(db, file.hash);
    if (text === null) throw new AppError('not-found', { what: 'attachment' });
    return { ...file, text };
  });
  const { text, attached } = attachedText(typed, read);
  return { text, parts: { attached } };
}
