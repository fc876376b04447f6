/** Stores what `breaker` decides, in the transaction of the commit that trips it. */
import type { BreakerTrip } from '../../shared/model/compression';
import type { AttemptId, SessionId } from '../../shared/model/ids';
import { automaticCommits, lastAttempt } from '../db/attempts-table';
import type { WriteTx } from '../db/database';
import { changeSession, getSession } from '../db/sessions-table';
import { turnsBegunBetween } from '../db/turns-table';
import { tripOf } from './breaker';

/** Commits that are looked at: more than the breaker ever counts. */
const LOOKED_AT = 20;

/** `sessions.automatic_why`: why it is off, or the attempt after which commits count again. */
type AutomaticWhy = { readonly trip: BreakerTrip } | { readonly after: AttemptId };

/** To be called once the commit's attempt has its outcome. True = automatic compression of the session has stopped. */
export function tripBreaker(tx: WriteTx, sessionId: SessionId): boolean {
  const session = getSession(tx, sessionId);
  if (session?.automatic !== 'on') return false;
  const why = stored(session.automaticWhy);
  const after = why && 'after' in why ? why.after : (0 as AttemptId);
  const trip = tripOf(automaticCommits(tx, sessionId, after, LOOKED_AT), (from, to) =>
    turnsBegunBetween(tx, sessionId, from, to),
  );
  if (!trip) return false;
  return changeSession(tx, sessionId, { automatic: 'breaker', automaticWhy: JSON.stringify({ trip }) });
}

/** The user turns it on or off: what was committed until now is forgiven. */
export function setAutomatic(tx: WriteTx, sessionId: SessionId, automatic: 'on' | 'off'): boolean {
  const why: AutomaticWhy = { after: lastAttempt(tx, sessionId) };
  return changeSession(tx, sessionId, { automatic, automaticWhy: JSON.stringify(why) });
}

/** Why the breaker opened, null where it did not. */
export function tripStored(automaticWhy: string | null): BreakerTrip | null {
  const why = stored(automaticWhy);
  return why && 'trip' in why ? why.trip : null;
}

function stored(automaticWhy: string | null): AutomaticWhy | null {
  return automaticWhy === null ? null : (JSON.parse(automaticWhy) as AutomaticWhy);
}
