import type { AttemptId, InstanceId, SessionId } from '../../shared/model/ids';
import type { ToolCall } from '../../shared/model/message';
import { waitsForClick } from '../../shared/model/turn';
import { afterFailure } from '../compression/backoff';
import { OPEN_CALL } from '../turns/tool-result';
import { endAttempt, openAttemptsOf, type StoredAttempt } from './attempts-table';
import { getBackoff, putBackoff } from './backoffs-table';
import { all, one, type ReadDb, type WriteTx } from './database';
import { proveDead } from './instance-lock';
import { otherInstances, removeInstance } from './instances-table';
import { freeLeasesOf } from './leases-table';
import { dropEmptyAnswer, finishMessage, joinedParts } from './messages-table';
import { decide } from './tool-approvals-table';
import { insertResult, unansweredCalls } from './tool-results';
import { changeTurn, openTurnsOf, type StoredTurn } from './turns-table';
import { BUSY, type WriteSeam } from './write-seam';

/** What recovery did, for events and the log. */
export interface Recovered {
  readonly instance: InstanceId;
  readonly sessions: readonly SessionId[];
}

/**
 * Ends everything that instances proved dead have left running: answers keep their text as `partial`, turns become
 * `interrupted` (a deferred one waits for a click, one whose whole answer is stored is `completed`), attempts
 * `failed(interrupted)` with a backoff, leases go free. One transaction a dead instance; its row and lock file go last. A busy database leaves it for the next call.
 */
export function recoverDead(seam: WriteSeam, folder: string, me: InstanceId, now: number): Recovered[] {
  return otherInstances(seam.db, me).flatMap((id) => recoverIfDead(seam, folder, id, now) ?? []);
}

/** The same for one instance. null = it lives, or the database is busy. */
export function recoverIfDead(seam: WriteSeam, folder: string, id: InstanceId, now: number): Recovered | null {
  const death = proveDead(folder, id);
  if (!death.dead) return null;
  // who took a dead one's lock keeps it until the recovery is committed, then removes row and file
  let sessions: SessionId[] | typeof BUSY = BUSY;
  try {
    sessions = seam.tryWrite((tx) => recoverInstance(tx, id, now), { durable: true, first: true });
  } finally {
    death.lock.release(sessions !== BUSY);
  }
  return sessions === BUSY ? null : { instance: id, sessions };
}

/** A clean end of this instance: the same rules, and its row goes; the caller lets go of its own lock afterwards. */
export function retireInstance(tx: WriteTx, me: InstanceId, now: number): void {
  recoverInstance(tx, me, now);
}

function recoverInstance(tx: WriteTx, id: InstanceId, now: number): SessionId[] {
  const touched = new Set<SessionId>();
  for (const turn of openTurnsOf(tx, id)) {
    touched.add(turn.sessionId);
    recoverTurn(tx, turn, now);
  }
  for (const attempt of openAttemptsOf(tx, id)) {
    touched.add(attempt.sessionId);
    recoverAttempt(tx, attempt, now);
  }
  for (const row of all<{ id: SessionId }>(tx, 'SELECT session_id AS id FROM leases WHERE instance_id = :id', { id }))
    touched.add(row.id);
  freeLeasesOf(tx, id);
  removeInstance(tx, id);
  return [...touched];
}

/** Ends a turn whose process does not run it any more; what is streamed of its answer stays as `partial`. */
export function recoverTurn(tx: WriteTx, turn: StoredTurn, now: number): void {
  for (const answer of streamingOf(tx, turn)) {
    const text = joinedParts(tx, answer.rid);
    if (text === '') dropEmptyAnswer(tx, turn.sessionId, answer.rid, now);
    else finishMessage(tx, turn.sessionId, answer.rid, { status: 'partial', text, usage: null, now });
  }
  openCallsEnd(tx, turn, now);
  if (waitsForClick(turn.reason)) return; // in whichever window
  if (turn.state === 'deferred') {
    const reason = { state: 'deferred', why: { kind: 'after-restart' } } as const;
    changeTurn(tx, turn.id, { ...turn, state: 'deferred', reason, retryAt: null });
    return;
  }
  const state = isAnswered(tx, turn) ? 'completed' : 'interrupted';
  changeTurn(tx, turn.id, { ...turn, state, reason: null, retryAt: null, endedAt: now });
}

/** The whole of its answer was stored, and nothing else came of it before its process went. */
function isAnswered(db: ReadDb, turn: StoredTurn): boolean {
  const newest = one<{ role: string; status: string }>(
    db,
    'SELECT role, status FROM messages WHERE turn_id = :id ORDER BY rid DESC LIMIT 1',
    { id: turn.id },
  );
  return newest?.role === 'assistant' && newest.status === 'complete';
}

/**
 * What ran when the process died may have had an effect; a call that waited for the user's word had none, nor had those
 * after it. None is made again.
 */
function openCallsEnd(tx: WriteTx, turn: StoredTurn, now: number): void {
  for (const [place, call] of unansweredCalls(tx, turn.branchId).entries())
    insertResult(tx, {
      ...turn,
      turnId: turn.id,
      result: { call, state: 'interrupted', tookMs: null },
      text: place === 0 ? firstWords(tx, call, now) : OPEN_CALL['not-run'],
      full: null,
      searchable: false,
      now,
    });
}

function firstWords(tx: WriteTx, call: ToolCall, now: number): string {
  return decide(tx, call.id, 'withdrawn', now) ? OPEN_CALL.unanswered : OPEN_CALL.interrupted;
}

function streamingOf(db: ReadDb, turn: StoredTurn): { rid: number }[] {
  return all<{ rid: number }>(db, `SELECT rid FROM messages WHERE turn_id = :id AND status = 'streaming'`, {
    id: turn.id,
  });
}

function recoverAttempt(tx: WriteTx, attempt: StoredAttempt, now: number): void {
  endAttempt(tx, attempt.id, { kind: 'failed', failure: 'interrupted' }, { now, error: null, strategy: null });
  if (attempt.strategy === 'summarize') interrupted(tx, attempt.sessionId, attempt.id, now);
}

function interrupted(tx: WriteTx, sessionId: SessionId, attemptId: AttemptId, now: number): void {
  const failure = { strategy: 'summarize', kind: 'interrupted', attemptId, now, error: null } as const;
  const next = afterFailure(getBackoff(tx, sessionId, 'summarize'), failure);
  if (next) putBackoff(tx, sessionId, next);
}
