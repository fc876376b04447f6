import type { BranchId, SessionId } from '../../shared/model/ids';
import type { MessageRole } from '../../shared/model/message';
import type { ReadDb } from './database';
import { withCalls } from './message-parts';
import { messagesBetween, type StoredMessage } from './messages-table';
import { getSession } from './sessions-table';

/** Headings that mark who speaks; an import reads the same ones. */
export const SPEAKERS: Record<MessageRole, string> = { user: 'User', assistant: 'Assistant', tool: 'Tool result' };
const PAGE = 500;

/** What was typed, and the names of its files: their words stay in the profile. An answer's calls are told in words. */
function wordsOf({ text, parts }: StoredMessage): string {
  if (!parts?.attached) return withCalls(text, parts?.calls ?? []);
  const { typed, files } = parts.attached;
  const names = files.map(({ name, bytes }) => `[Attached file: ${name}, ${bytes} bytes]`);
  return [text.slice(0, typed), ...names].filter((line) => line !== '').join('\n\n');
}

/** One path of a session as Markdown that can be imported again. */
export function exportMarkdown(db: ReadDb, sessionId: SessionId, branch: BranchId): string {
  const session = getSession(db, sessionId);
  const out = [`# ${session?.title || 'Untitled chat'}`];
  for (let from = 1; ; from += PAGE) {
    const page = messagesBetween(db, branch, from, from + PAGE - 1);
    if (page.length === 0) break;
    for (const message of page)
      out.push(`## ${SPEAKERS[message.role]}\n\n${wordsOf(message).replace(/^## /gm, '### ')}`);
  }
  return `${out.join('\n\n')}\n`;
}
