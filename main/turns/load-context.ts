/** Reads what the next request of a path is made of: the shown summaries and the messages that none covers. */
import type { BranchId, SessionId } from '../../shared/model/ids';
import { shownSummaries } from '../compression/view';
import type { ReadDb } from '../db/database';
import { lastSeq, messagesBefore, type StoredMessage } from '../db/messages-table';
import { getSession } from '../db/sessions-table';
import { activeOnPath, type StoredSummary } from '../db/summaries-table';
import { getText } from '../db/texts-table';
import type { TokenRates } from '../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../providers/token-estimate';
import type { ContextSource } from './context';

export interface LoadedContext {
  readonly source: ContextSource;
  readonly tail: readonly StoredMessage[];
  readonly summaries: readonly StoredSummary[];
  /** Hash of the system prompt, for the recipe. */
  readonly system: string | null;
  /** Tokens of older messages that were not read, since what was read cannot fit by far; 0 = everything was read. */
  readonly unreadTokens: number;
}

const PAGE = 100;

/**
 * Newest first, until everything uncovered was read or `enough` tokens are: the time is bounded by the window, not by
 * the length of the session. A streaming answer is left out.
 */
export function loadContext(
  db: ReadDb,
  sessionId: SessionId,
  branch: BranchId,
  rates: TokenRates,
  enough: number,
): LoadedContext {
  const session = getSession(db, sessionId);
  const summaries = shownSummaries(activeOnPath(db, branch));
  const tail: StoredMessage[] = [];
  let tokens = 0;
  let chars = 0;
  let before = lastSeq(db, branch) + 1;
  let more = true;
  while (more && tokens <= enough) {
    const page = messagesBefore(db, branch, before, PAGE);
    more = page.length === PAGE;
    for (const message of page) {
      before = message.seq;
      const covering = summaries.find((one) => message.seq >= one.coversFrom && message.seq <= one.coversTo);
      if (covering) {
        before = covering.coversFrom;
        break;
      }
      if (message.status === 'streaming') continue;
      tail.push(message);
      tokens += tokensOf(message, rates) + MESSAGE_OVERHEAD;
      chars += message.text.length;
    }
    if (before <= 1) more = false;
    else if (summaries.some((one) => one.coversFrom === before)) more = true;
  }
  const unreadChars = more ? Math.max(0, (session?.chars ?? 0) - chars) : 0;
  return {
    source: {
      system: session?.promptHash ? getText(db, session.promptHash) : null,
      summaries: summaries.map((one) => ({ from: one.coversFrom, to: one.coversTo, text: one.text })),
      tail: tail.reverse().map((message) => ({ role: message.role, text: message.text })),
    },
    tail,
    summaries,
    system: session?.promptHash?.toString('hex') ?? null,
    unreadTokens: tokensOf({ ascii: unreadChars, cjk: 0, other: 0 }, rates),
  };
}
