import type { BranchId, SessionId } from '../../shared/model/ids';
import type { SessionView } from '../../shared/model/session';
import { asAppError, request } from '../bridge/request';
import { appStore } from './app-store';
import { layoutStore } from './layout-store';
import { sessionStore } from './session-store';
import { shownOnPage } from './toast-store';

interface Opening {
  readonly sessionId: SessionId;
  /** What happened to the session since its view was asked for. */
  readonly later: (() => void)[];
}
let opening: Opening | null = null;

/** The session whose view is on its way; null = none. */
export function openingSession(): Opening | null {
  return opening;
}

/**
 * Opens a session in this window, on the branch it was last on (null) or on a given one. When another is opened
 * meanwhile, the later wish wins.
 * @throws AppError when main refuses.
 */
export async function openSession(sessionId: SessionId, branchId: BranchId | null): Promise<void> {
  appStore.getState().sessionShown(sessionId);
  await takeView(sessionId, branchId);
}

/** Takes the view of a session anew without going to another page: after a lost event, and behind the first run. */
export async function takeView(sessionId: SessionId, branchId: BranchId | null): Promise<void> {
  const mine: Opening = { sessionId, later: [] };
  opening = mine;
  try {
    const view = await request('sessions.open', { sessionId, branchId });
    if (opening === mine) show(view);
  } catch (thrown) {
    const error = asAppError(thrown);
    if (opening === mine) sessionStore.getState().viewFailed(shownOnPage(error));
    throw error;
  } finally {
    if (opening === mine) {
      opening = null;
      for (const tell of mine.later) tell();
    }
  }
}

/**
 * Shows a new chat with the caret in the composer. A chat without messages is taken again, with the model that a new
 * one takes, so that pressing the button twice makes one.
 */
export async function newChat(): Promise<void> {
  const { order, rows, currentId } = appStore.getState();
  const empty = order.slice(0, 20).find((id) => rows[id]?.messages === 0 && rows[id]?.activity.kind === 'idle');
  if (empty) {
    await openSession(empty, null);
    if (empty !== currentId) await request('sessions.renew', { sessionId: empty });
  } else {
    const mine = opening;
    const view = await request('sessions.create', { model: null });
    appStore.getState().sessionChanged(view.session);
    if (opening === mine) await openSession(view.session.id, null);
  }
  layoutStore.getState().composerWanted();
}

function show(view: SessionView): void {
  sessionStore.getState().viewOpened(view);
  appStore.getState().sessionChanged(view.session);
}
