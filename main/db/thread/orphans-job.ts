import type { AttachmentHash } from '../../../shared/model/attachment';
import { allAttachments, filesWaiting } from '../attachments-table';
import { all, type ReadDb } from '../database';
import type { MessageParts } from '../message-parts';
import type { Steps } from './read-range';

/** Messages looked at in one step. */
const PAGE = 2_000;

/** Files that no message, draft or waiting message names any more. */
export function* orphans(db: ReadDb, _job: Record<string, never>): Steps<AttachmentHash[]> {
  const kept = allAttachments(db);
  if (kept.length === 0) return [];
  // drafts first: what is sent meanwhile is then found in its message
  const named = filesWaiting(db);
  for (let after = 0; ; ) {
    const rows = all<{ rid: number; parts: string | null }>(
      db,
      'SELECT rid, parts FROM messages WHERE rid > :after ORDER BY rid LIMIT :page',
      { after, page: PAGE },
    );
    for (const { parts } of rows)
      if (parts?.includes('"attached"'))
        for (const { hash } of (JSON.parse(parts) as MessageParts).attached?.files ?? []) named.add(hash);
    const last = rows.at(-1);
    if (!last) break;
    after = last.rid;
    yield;
  }
  return kept.filter((hash) => !named.has(hash));
}
