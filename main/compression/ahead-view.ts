/** What `ahead` sees of a session: one look at the database, sizes alone. */
import type { AttemptOutcome } from '../../shared/model/compression';
import type { SessionId } from '../../shared/model/ids';
import type { ReadDb } from '../db/database';
import { getSession } from '../db/sessions-table';
import { proposalOf } from '../db/summaries-table';
import { openTurn } from '../db/turns-table';
import { modelOf } from '../providers/model-of';
import type { Models } from '../providers/registry-types';
import type { Toolbox } from '../tools/tool';
import { estimate } from '../turns/measure';
import type { AheadView } from './ahead';
import type { Coordinator } from './coordinator';
import type { Leases } from './lease';

export interface AheadFacts {
  readonly db: ReadDb;
  readonly leases: Leases;
  readonly coordinator: Coordinator;
  readonly models: Pick<Models, 'facts' | 'defaultModel'>;
  readonly toolbox: Toolbox;
  automatic(sessionId: SessionId): 'on' | 'off' | 'breaker';
}

export function aheadView(facts: AheadFacts, sessionId: SessionId): AheadView | null {
  const { db, models, coordinator, toolbox } = facts;
  const session = getSession(db, sessionId);
  const model = modelOf(models, session);
  if (!session || session.deletedAt !== null || !model) return null;
  const branchId = session.lastBranch;
  const open = openTurn(db, sessionId) !== null;
  const busy = coordinator.running(sessionId) !== null || proposalOf(db, sessionId) !== null;
  const { measure, marks, bulkyResults, fixedTokens } = estimate(db, sessionId, branchId, model, toolbox, open);
  if (!marks) return null;
  return {
    free: !open && !busy && facts.automatic(sessionId) === 'on',
    tokens: measure.tokens,
    softMark: marks.soft,
    wish: {
      ...{ sessionId, branchId, model, marks, bulkyResults, fixedTokens },
      need: 'ahead',
      trigger: 'soft-mark',
      turnId: null,
      chosen: null,
      range: null,
      accepts: null,
      bypass: false,
    },
  };
}

/** Whether what kept the last attempt from succeeding has ended. A backoff is the coordinator's to see. */
export function causeEnded(facts: AheadFacts, sessionId: SessionId, outcome: AttemptOutcome): boolean {
  switch (outcome.kind) {
    case 'failed':
      return true;
    case 'deferred':
      return outcome.why.kind !== 'lease-held' || facts.leases.mayTake({ session: sessionId, kind: 'compression' });
    case 'superseded':
      return outcome.by === 'newer';
    case 'committed':
    case 'proposed':
    case 'nothing-to-do':
    case 'cancelled':
      return false; // done, useless, or not wanted
  }
}
