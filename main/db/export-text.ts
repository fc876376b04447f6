import type { BranchId, SessionId } from '../../shared/model/ids';
import type { MessageRole } from '../../shared/model/message';
import type { ReadDb } from './database';
import { messagesBetween } from './messages-table';
import { getSession } from './sessions-table';

/** Headings that mark who speaks; an import reads the same ones. */
export const SPEAKERS: Record<MessageRole, string> = { user: 'User', assistant: 'Assistant', tool: 'Tool result' };
const PAGE = 500;

/** One path of a session as Markdown that can be imported again. */
export function exportMarkdown(db: ReadDb, sessionId: SessionId, branch: BranchId): string {
  const session = getSession(db, sessionId);
  const out = [`# ${session?.title || 'Untitled chat'}`];
  for (let from = 1; ; from += PAGE) {
    const page = messagesBetween(db, branch, from, from + PAGE - 1);
    if (page.length === 0) break;
    for (const message of page) out.push(`## ${SPEAKERS[message.role]}\n\n${message.text.replace(/^## /gm, '### ')}`);
  }
  return `${out.join('\n\n')}\n`;
}
