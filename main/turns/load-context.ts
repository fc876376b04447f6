/** Reads what the next request of a path is made of: the shown summaries and the messages that none covers. */
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import type { ReadDb } from '../db/database';
import { type MessageParts, withoutFiles } from '../db/message-parts';
import { lastSeq, type MessageSize, messagesBefore, type StoredMessage, sizesBefore } from '../db/messages-table';
import { pinsOnPath, type StoredPin } from '../db/pins-table';
import { recalledIn } from '../db/recalls';
import { getSession } from '../db/sessions-table';
import { shownStubs } from '../db/shown-stubs';
import { type StoredSummary, shownOnPath } from '../db/summaries-table';
import { getText } from '../db/texts-table';
import { addChars, type CharCounts, countChars, NO_CHARS } from '../lib/char-counts';
import type { TokenRates } from '../providers/registry-types';
import { MESSAGE_OVERHEAD, tokensOf } from '../providers/token-estimate';
import { recallBlock } from './recall-block';

/** `M` = whole messages for a request, or their sizes alone for a meter. */
export interface LoadedContext<M extends MessageSize = StoredMessage> {
  readonly system: string | null;
  /** Hash of the system prompt, for the recipe. */
  readonly systemHash: string | null;
  /** Every pin that stands on the path, in order. */
  readonly pins: readonly StoredPin[];
  readonly summaries: readonly StoredSummary[];
  /** Messages that no summary covers, in order. A streaming answer is left out. */
  readonly tail: readonly M[];
  /** True where an answer ends the path, sent as it is or covered: what is asked next is to go on with it. */
  readonly endsWithAnswer: boolean;
  /** Messages of the tail in whose place a line stands. */
  readonly stubbed: readonly number[];
  /** Recalled parts that stand before messages of the tail, by their numbers. */
  readonly recalled: ReadonlyMap<number, string>;
  /** Hashes of those parts, in order, for the recipe. */
  readonly recalledHashes: readonly string[];
  /** Characters of older messages that were not read, since what was read cannot fit by far; 0 = all were read. */
  readonly unread: CharCounts;
}

const PAGE = 100;

/** For a request. Tokens read are bounded by `enough`, not by the length of the session. */
export function loadContext(
  db: ReadDb,
  sessionId: SessionId,
  branch: BranchId,
  rates: TokenRates,
  enough: number,
): LoadedContext {
  return load(db, sessionId, branch, rates, enough, (before) =>
    messagesBefore(db, branch, before, PAGE).filter((message) => message.status !== 'streaming'),
  );
}

/** The same without the text of the tail. `without` = as if those summaries were undone. */
export function loadSizes(
  db: ReadDb,
  sessionId: SessionId,
  branch: BranchId,
  rates: TokenRates,
  enough: number,
  without?: ReadonlySet<SummaryId>,
): LoadedContext<MessageSize> {
  const readBack = (before: number) => sizesBefore(db, branch, before, PAGE);
  return load(db, sessionId, branch, rates, enough, readBack, without);
}

/** A message as its stub: its files are not sent either. */
function stubbed<M extends MessageSize & { readonly parts?: MessageParts | null }>(message: M, text: string): M {
  const parts = message.parts ? { parts: withoutFiles(message.parts) } : {};
  return { ...message, ...parts, text, ...countChars(text) };
}

function load<M extends MessageSize>(
  db: ReadDb,
  sessionId: SessionId,
  branch: BranchId,
  rates: TokenRates,
  enough: number,
  readBack: (before: number) => M[],
  without?: ReadonlySet<SummaryId>,
): LoadedContext<M> {
  const session = getSession(db, sessionId);
  const summaries = shownOnPath(db, branch, without);
  const stubs = shownStubs(db, branch);
  const tail: M[] = [];
  let tokens = 0;
  let read = NO_CHARS;
  let before = lastSeq(db, branch) + 1;
  let newest: M | undefined;
  while (before > 1 && tokens <= enough) {
    const page = readBack(before);
    if (page.length === 0) break;
    newest ??= page[0];
    for (const message of page) {
      before = message.seq;
      const covering = summaries.find((one) => message.seq >= one.coversFrom && message.seq <= one.coversTo);
      if (covering) {
        before = covering.coversFrom; // what lies before the summary is read next
        break;
      }
      const stub = stubs.get(message.seq);
      const sent = stub ? stubbed(message, stub.text) : message;
      tail.push(sent);
      tokens += tokensOf(sent, rates) + MESSAGE_OVERHEAD;
      read = addChars(read, message);
    }
  }
  tail.reverse();
  const recalled = recalledIn(
    db,
    branch,
    tail.filter((message) => message.role === 'user'),
    summaries.map((one) => one.id),
  );
  const all = before > 1 ? (session?.chars ?? 0) : 0;
  const readChars = read.ascii + read.cjk + read.other;
  return {
    system: session?.promptHash ? getText(db, session.promptHash) : null,
    systemHash: session?.promptHash?.toString('hex') ?? null,
    pins: pinsOnPath(db, branch),
    summaries,
    tail,
    endsWithAnswer: newest?.role === 'assistant',
    stubbed: tail.flatMap(({ seq }) => (stubs.has(seq) ? [seq] : [])),
    recalled: new Map(recalled.map((one) => [one.rid, recallBlock(one.passages)])),
    recalledHashes: recalled.map((one) => one.hash),
    unread: { ascii: Math.max(0, all - readChars), cjk: 0, other: 0 },
  };
}
