import type { AttachmentHash, AttachmentKind } from '../../shared/model/attachment';
import type { CharCounts } from '../lib/char-counts';
import { all, one, type ReadDb, run, type WriteTx } from './database';
import { putText } from './texts-table';

/** A file of a draft or of a waiting message, as their rows hold it. */
export interface KeptFile {
  readonly hash: AttachmentHash;
  readonly name: string;
  readonly kind: AttachmentKind;
  readonly bytes: number;
  /** Characters of its text. */
  readonly chars: CharCounts;
}

/** Keeps what is known of a file: the text that a model gets of it, null for a picture. The same bytes once; an older row stays. */
export function putAttachment(
  tx: WriteTx,
  file: { hash: AttachmentHash; media: string; bytes: number; text: string | null; now: number },
): void {
  run(
    tx,
    `INSERT INTO attachments (hash, media, bytes, text_hash, created_at) VALUES (:hash, :media, :bytes, :text, :now)
     ON CONFLICT DO UPDATE SET created_at = :now`,
    {
      hash: Buffer.from(file.hash, 'hex'),
      media: file.media,
      bytes: file.bytes,
      text: file.text === null ? null : putText(tx, file.text),
      now: file.now,
    },
  );
}

/** The text that a model gets of a file; null = it is not kept (any more). */
export function attachmentText(db: ReadDb, hash: AttachmentHash): string | null {
  const row = one<{ text: string }>(
    db,
    'SELECT t.text FROM attachments a JOIN texts t ON t.hash = a.text_hash WHERE a.hash = :hash',
    { hash: Buffer.from(hash, 'hex') },
  );
  return row?.text ?? null;
}

/** Hashes that drafts and waiting messages name. */
export function filesWaiting(db: ReadDb): Set<AttachmentHash> {
  const rows = all<{ files: string }>(
    db,
    `SELECT draft_files AS files FROM sessions WHERE draft_files <> '[]' UNION ALL SELECT files FROM outbox WHERE files <> '[]'`,
  );
  return new Set(rows.flatMap(({ files }) => (JSON.parse(files) as KeptFile[]).map(({ hash }) => hash)));
}

export function allAttachments(db: ReadDb): AttachmentHash[] {
  return all<{ hash: Buffer }>(db, 'SELECT hash FROM attachments').map(
    ({ hash }) => hash.toString('hex') as AttachmentHash,
  );
}

/** Takes a file away with its text, unless it was attached again since. True = it is gone. */
export function dropAttachment(tx: WriteTx, hash: AttachmentHash, before: number): boolean {
  const row = one<{ text: Buffer | null }>(
    tx,
    'DELETE FROM attachments WHERE hash = :hash AND created_at < :before RETURNING text_hash AS text',
    { hash: Buffer.from(hash, 'hex'), before },
  );
  if (row?.text)
    run(
      tx,
      `DELETE FROM texts WHERE hash = :text AND NOT EXISTS (SELECT 1 FROM attachments WHERE text_hash = :text)
         AND NOT EXISTS (SELECT 1 FROM sessions WHERE prompt_hash = :text)`,
      { text: row.text },
    );
  return row !== null;
}
