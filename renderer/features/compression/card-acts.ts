import type { Attempt, Strategy } from '../../../shared/model/compression';
import type { Settings } from '../../../shared/model/settings';
import { request } from '../../bridge/request';

/** "Compress now" and "Try now": all strategies in turn. */
export const allStrategies: readonly Strategy[] = ['prune', 'summarize', 'extract'];

/** What the buttons of the card ask for. */
export interface CardActs {
  cancel(attempt: Attempt): Promise<void>;
  skipModel(attempt: Attempt): Promise<void>;
  sendNow(attempt: Attempt): Promise<void>;
  start(attempt: Attempt, strategies: readonly Strategy[]): Promise<void>;
  /** What was asked for by that attempt, once more; and the same where another window holds the compression. */
  again(attempt: Attempt): Promise<void>;
  recover(attempt: Attempt): Promise<void>;
  showNewest(show: Settings['newestLine']): Promise<void>;
}

export const cardActs: CardActs = {
  cancel: ({ sessionId, id }) => request('compression.cancel', { sessionId, attemptId: id }),
  skipModel: ({ sessionId, id }) => request('compression.skipModel', { sessionId, attemptId: id }),
  sendNow: ({ sessionId }) => request('turns.sendNow', { sessionId }),
  start: ({ sessionId, branchId }, strategies) =>
    request('compression.start', { sessionId, branchId, strategies: [...strategies] }),
  again: ({ sessionId, id }) => request('compression.again', { sessionId, attemptId: id }),
  recover: ({ sessionId, id }) => request('compression.recover', { sessionId, attemptId: id }),
  showNewest: async (newestLine) => {
    await request('settings.change', { newestLine });
  },
};
