/** Calls that were asked about. The row stands before the call runs, its decision is written once. */
import type { SessionId } from '../../shared/model/ids';
import { one, type ReadDb, run, type WriteTx } from './database';

export type Decision = 'once' | 'session' | 'always' | 'denied' | 'withdrawn';

export function askAbout(tx: WriteTx, callId: string, sessionId: SessionId, now: number): void {
  run(
    tx,
    'INSERT INTO tool_approvals (call_id, session_id, asked_at) VALUES (:callId, :sessionId, :now) ON CONFLICT DO NOTHING',
    { callId, sessionId, now },
  );
}

/** False where it was decided before, or never asked. */
export function decide(tx: WriteTx, callId: string, decision: Decision, now: number): boolean {
  return (
    run(
      tx,
      'UPDATE tool_approvals SET decision = :decision, decided_at = :now WHERE call_id = :callId AND decision IS NULL',
      { callId, decision, now },
    ).changes === 1
  );
}

/** True while a call of the session waits for the user, in whichever window. */
export function waitsForWord(db: ReadDb, sessionId: SessionId): boolean {
  return (
    one(db, 'SELECT 1 FROM tool_approvals WHERE session_id = :sessionId AND decision IS NULL LIMIT 1', {
      sessionId,
    }) !== null
  );
}
