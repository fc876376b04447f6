import { assertNever } from '../../../shared/exhaustive';
import type { SessionId } from '../../../shared/model/ids';
import type { Notice } from '../../../shared/model/notice';
import { request } from '../../bridge/request';
import { appStore, modelOf } from '../../stores/app-store';
import { jumpStore } from '../../stores/jump-store';
import { layoutStore } from '../../stores/layout-store';
import { openSession } from '../../stores/open-session';
import { sessionStore } from '../../stores/session-store';
import type { NoticeAct } from './notice-words';

/** Turns that "Shorter tail" leaves: one, or none where it is one already. */
export function shorterTail(keepTurns: number): number {
  return keepTurns > 1 ? 1 : 0;
}

/**
 * Does what a notice's button says.
 * @throws AppError when main refuses.
 */
export async function actOnNotice(act: NoticeAct, notice: Notice, sessionId: SessionId): Promise<void> {
  const { branchId, keepTurns } = sessionStore.getState();
  if (branchId === null) return; // no chat is shown that a notice could be about
  const here = { sessionId, branchId };
  switch (act) {
    case 'send-now':
      return request('turns.sendNow', { sessionId });
    case 'send-again':
      return request('turns.sendAgain', here);
    case 'stop':
      return request('turns.stop', { sessionId });
    case 'continue':
      return request('turns.continue', here);
    case 'try-compression':
      return request('compression.start', { ...here, strategies: ['prune', 'summarize', 'extract'] });
    case 'use-extract':
      return request('compression.start', { ...here, strategies: ['extract'] });
    case 'automatic-off':
      return request('sessions.setAutomatic', { sessionId, automatic: 'off' });
    case 'automatic-on':
      return request('sessions.setAutomatic', { sessionId, automatic: 'on' });
    case 'automatic-on-and-send':
      await request('sessions.setAutomatic', { sessionId, automatic: 'on' });
      // off everywhere it would be off here all the same
      if (!appStore.getState().settings.automaticCompression)
        await request('settings.change', { automaticCompression: true });
      return request('turns.sendAgain', here);
    case 'automatic-on-everywhere':
      await request('settings.change', { automaticCompression: true });
      return;
    case 'carry-on': {
      const { session } = await request('sessions.carryOn', here);
      appStore.getState().sessionChanged(session);
      await openSession(session.id, null);
      return layoutStore.getState().composerWanted();
    }
    case 'shorter-tail':
      await request('sessions.setKeepTurns', { sessionId, turns: shorterTail(keepTurns) });
      return request('turns.sendAgain', here);
    case 'show-proposal':
      if (notice.kind === 'proposal' && notice.branchId !== branchId) await openSession(sessionId, notice.branchId);
      return jumpStore.getState().endWanted();
    case 'review-off-and-send':
      await request('sessions.setReview', { sessionId, review: false });
      return request('turns.sendAgain', here);
    case 'test-provider':
      return request('providers.test', { providerId: modelOf(appStore.getState(), sessionId)?.providerId ?? null });
    case 'stop-recovering':
      return request('compression.stopRecovering', { sessionId });
    case 'dismiss':
      if (notice.kind === 'window-learned' || notice.kind === 'answer-cut') {
        return request('notices.dismiss', { id: notice.id });
      }
      return;
    case 'raise-window':
    case 'enter-window':
      return layoutStore.getState().windowWanted();
    case 'choose-model': // opens the picker; nothing is asked of main
      return;
    default:
      return assertNever(act);
  }
}
