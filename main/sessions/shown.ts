/** From stored rows to what windows show. Reads only; each function is one look at the database. */
import type { Attempt, Proposal, ShownStub, Summary } from '../../shared/model/compression';
import type { BranchId, InstanceId, SessionId } from '../../shared/model/ids';
import type { Message, OutboxItem } from '../../shared/model/message';
import { PIN_WORDS, type Pin } from '../../shared/model/pin';
import type { Activity, SessionRow } from '../../shared/model/session';
import { type Turn, waitsForClick } from '../../shared/model/turn';
import { containsOlder } from '../compression/view';
import { getAttempt, openAttempt, type StoredAttempt } from '../db/attempts-table';
import { branchesOf, ownerOf, pathOf, pathsWith, type StoredBranch, type Stretch } from '../db/branches-table';
import type { ReadDb } from '../db/database';
import { shownResult, typedText } from '../db/message-parts';
import { getMessageByRid, lastSeq, type StoredMessage } from '../db/messages-table';
import { outboxOf } from '../db/outbox-table';
import { pinsOnPath } from '../db/pins-table';
import { recalledOnce } from '../db/recalls';
import type { StoredSession } from '../db/sessions-table';
import { shownStubs } from '../db/shown-stubs';
import { activeRanges, proposalOf, type StoredSummary, shownOnPath } from '../db/summaries-table';
import { waitsForWord } from '../db/tool-approvals-table';
import { lastTurn, openTurn } from '../db/turns-table';

export function shownSession(session: StoredSession, activity: Activity): SessionRow {
  const { id, title, model, messages, createdAt, updatedAt, pinnedAt, deletedAt } = session;
  return { id, title, model, messages, createdAt, updatedAt, pinnedAt, deletedAt, activity };
}

/** What the row says, from the open turn and attempt, whichever window runs them. */
export function activityOf(db: ReadDb, sessionId: SessionId, running: Attempt | null): Activity {
  const attempt = running ?? openAttempt(db, sessionId);
  const ended = attempt === null || attempt.endedAt !== null;
  if (!ended) return { kind: 'compressing', done: attempt.chunksDone, of: attempt.chunks };
  const turn = openTurn(db, sessionId);
  if (!turn) return { kind: 'idle' };
  const waits = turn.state === 'deferred' || (turn.state === 'tools' && waitsForWord(db, sessionId));
  return { kind: waits ? 'waiting' : 'answering' };
}

export function shownTurn(db: ReadDb, sessionId: SessionId, me: InstanceId): Turn | null {
  const turn = lastTurn(db, sessionId);
  const message = turn && getMessageByRid(db, turn.messageRid);
  if (!turn || !message) return null;
  return {
    id: turn.id,
    branchId: turn.branchId,
    messageId: message.id,
    state: turn.state,
    reason: turn.reason,
    retryAt: turn.retryAt,
    elsewhere: turn.endedAt === null && turn.instanceId !== me && !waitsForClick(turn.reason),
    startedAt: turn.startedAt,
    endedAt: turn.endedAt,
  };
}

/**
 * Another window's attempt, as its row says; or the last one of this session, for after a restart. `turn` = the
 * session's newest: one of this window that is deferred by the other's lease waits for its attempt.
 */
export function shownAttempt(row: StoredAttempt, me: InstanceId, turn: Turn | null): Attempt {
  const elsewhere = row.outcome === null && row.instanceId !== me;
  const reason = turn?.state === 'deferred' && !turn.elsewhere ? turn.reason : null;
  const waits = elsewhere && reason?.state === 'deferred' && reason.why.kind === 'lease-held';
  return {
    ...row,
    chunkShare: 0,
    reading: null,
    tokensToRead: 0,
    model: null,
    noModel: null,
    newestLine: null,
    text: '',
    paused: false,
    turnWaits: row.turnId !== null || waits,
    elsewhere,
    tokensBefore: null,
    tokensAfter: null,
    tokensShown: null,
    pausedUntil: null,
  };
}

export function shownOutbox(db: ReadDb, sessionId: SessionId): OutboxItem[] {
  return outboxOf(db, sessionId).map(({ id, text, files, createdAt }) => ({
    ...{ id, text, createdAt },
    files: files.map(({ chars: _, ...file }) => file),
  }));
}

/** Lines that requests of a path carry in the place of bulky messages, in order. */
export function shownLines(db: ReadDb, branch: BranchId): ShownStub[] {
  return [...shownStubs(db, branch).values()].sort((a, b) => a.seq - b.seq);
}

/** Folds of a path, in order. */
export function shownFolds(db: ReadDb, sessionId: SessionId, branch: BranchId): Summary[] {
  const ranges = activeRanges(db, branch);
  const branches = branchesOf(db, sessionId);
  return shownOnPath(db, branch).map((row) => shownSummary(db, branches, ranges, row));
}

/** What waits for a review and applies to that path, or null. */
export function shownProposal(db: ReadDb, sessionId: SessionId, branch: BranchId): Proposal | null {
  const row = proposalOf(db, sessionId);
  const branches = row ? branchesOf(db, sessionId) : [];
  if (!row || !pathsWith(branches, row.branchId, row.coversTo).includes(branch)) return null;
  const summary = shownSummary(db, branches, activeRanges(db, branch), row);
  const { tokensShown = row.tokensBefore, tokensInView = row.tokensBefore } = row.receipt?.plannedOn ?? {};
  return { ...summary, gain: Math.max(0, tokensShown - row.tokensAfter) / Math.max(1, tokensInView) };
}

function shownSummary(
  db: ReadDb,
  branches: readonly StoredBranch[],
  ranges: ReturnType<typeof activeRanges>,
  row: StoredSummary,
): Summary {
  const attempt = row.attemptId === null ? null : getAttempt(db, row.attemptId);
  const { sessionId: _, parentId: __, attemptId: ___, state: ____, ...summary } = row;
  return {
    ...summary,
    chunks: attempt?.chunks ?? 0,
    tookMs: attempt?.endedAt ? attempt.endedAt - attempt.startedAt : 0,
    containsOlder: containsOlder(ranges, row),
    newer: ranges.filter((other) => other.kind === 'text' && other.id > row.id).length,
    paths: pathsWith(branches, row.branchId, row.coversTo).length,
  };
}

/** Pins of a path, in order, each with how it begins. */
export function shownPins(db: ReadDb, branch: BranchId): Pin[] {
  return pinsOnPath(db, branch).map(({ text, version: _, ...pin }) => ({
    ...pin,
    words: text.trim().replace(/\s+/g, ' ').slice(0, PIN_WORDS),
  }));
}

/** Messages with the places of their branches, for the switcher. */
export function shownMessages(
  db: ReadDb,
  sessionId: SessionId,
  branch: BranchId,
  rows: readonly StoredMessage[],
): Message[] {
  const branches = branchesOf(db, sessionId);
  const recalled = recalledOnce(
    db,
    branch,
    rows.filter(({ role }) => role === 'user'),
  );
  const path = branches.length <= 1 ? null : pathOf(db, branch);
  return rows.map((row) => shownMessage(row, path && siblingsOf(db, branches, path, row), recalled.get(row.rid) ?? []));
}

function shownMessage(row: StoredMessage, siblings: Message['siblings'], recalled: Message['recalled']): Message {
  const { id, branchId, seq, role, status, text, usage, turnId, createdAt, parts } = row;
  const calls = parts?.calls ?? [];
  const result = parts?.result ? shownResult(parts.result) : null;
  const attached = parts?.attached;
  return {
    ...{ id, branchId, seq, role, status, usage, calls, result, recalled, turnId, createdAt, siblings },
    text: typedText(text, parts),
    files: attached ? attached.files.map(({ from: _, to: __, ...file }) => file) : [],
  };
}

/** Branches that hold another message in this place: those that fork where it stands, and the branch they fork from. */
function siblingsOf(
  db: ReadDb,
  branches: readonly StoredBranch[],
  path: readonly Stretch[],
  row: StoredMessage,
): Message['siblings'] {
  const before = row.seq - 1;
  const parent = ownerOf(path, before);
  const forks = branches.filter((one) => one.parentId === parent && one.forkSeq === before);
  if (forks.length === 0) return null;
  const goesOn = lastSeq(db, parent) > before;
  const all = [...(goesOn ? [parent] : []), ...forks.map((one) => one.id)];
  const index = all.indexOf(row.branchId);
  return all.length > 1 && index >= 0 ? { index, branches: all } : null;
}
