/**
 * A new chat that goes on where an old one can no more: it takes along what the old one's summaries say, as a file of its
 * draft, and the question that found no answer. The old chat stays as it is.
 */
import { AppError } from '../../shared/errors';
import type { BranchId, SessionId } from '../../shared/model/ids';
import type { SessionView } from '../../shared/model/session';
import type { ReadDb } from '../db/database';
import { typedText } from '../db/message-parts';
import { lastSeq, messagesBefore, type StoredMessage } from '../db/messages-table';
import { changeSession } from '../db/sessions-table';
import { shownOnPath } from '../db/summaries-table';
import type { WriteSeam } from '../db/write-seam';
import { countChars } from '../lib/char-counts';
import { filesOf } from './attached-text';
import type { Attachments } from './attachments';
import { addToDraft } from './draft-files';
import type { Sessions } from './service';

const PAGE = 50;

export interface CarryOnEnv {
  readonly seam: WriteSeam;
  readonly sessions: Pick<Sessions, 'get' | 'ownsBranch' | 'create' | 'open'>;
  readonly attachments: Pick<Attachments, 'paste'>;
}

/** Answers the new chat. @throws AppError `not-found`, `attachment-too-long`: the new chat has what fitted then. */
export async function carryOn(
  { seam, sessions, attachments }: CarryOnEnv,
  { sessionId, branchId }: { readonly sessionId: SessionId; readonly branchId: BranchId },
): Promise<SessionView> {
  const { db } = seam;
  const old = sessions.get(sessionId);
  if (!sessions.ownsBranch(sessionId, branchId)) throw new AppError('not-found', { what: 'branch' });
  const question = unanswered(db, branchId);
  const { id } = (await sessions.create(old.model)).session;
  const summary = shownOnPath(db, branchId).map(({ text }) => text);
  if (summary.length > 0) await attachments.paste(id, nameOf(old.title), summary.join('\n\n'));
  const { keepTurns, promptHash } = old;
  await seam.write(id, (tx) => {
    changeSession(tx, id, { keepTurns, promptHash, draft: question ? typedText(question.text, question.parts) : '' });
    for (const file of question ? filesIn(question) : []) addToDraft(tx, id, file);
  });
  return sessions.open(id, null);
}

/** The user message at the end of the path, before what its tools have brought; null = it was answered. */
function unanswered(db: ReadDb, branchId: BranchId): StoredMessage | null {
  for (let before = lastSeq(db, branchId) + 1; before > 1; ) {
    const page = messagesBefore(db, branchId, before, PAGE);
    const stop = page.find(({ role, parts }) => role === 'user' || (role === 'assistant' && !parts?.calls));
    if (stop || page.length === 0) return stop?.role === 'user' ? stop : null;
    before = page.at(-1)?.seq ?? 1;
  }
  return null;
}

/** Names of files have no more than 200 characters. */
const nameOf = (title: string) => `Summary of ${title.slice(0, 150) || 'a chat'}.md`;

function filesIn({ text, parts }: StoredMessage) {
  if (!parts?.attached) return [];
  return filesOf(text, parts.attached).map(({ text: words, ...file }) => ({ ...file, chars: countChars(words) }));
}
