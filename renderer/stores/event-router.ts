import { assertNever } from '../../shared/exhaustive';
import type { AppEvent, Numbered } from '../../shared/ipc/events';
import type { SessionId } from '../../shared/model/ids';
import { request } from '../bridge/request';
import { subscribe } from '../bridge/subscribe';
import { appStore } from './app-store';
import { layoutStore } from './layout-store';
import { openingSession, openSession, takeView } from './open-session';
import { readAgain } from './page-loader';
import { sessionStore } from './session-store';
import { told } from './toast-store';

/** What a window does when main asks it to show something; the quick chat does other things than the main window. */
export interface ShowHandlers {
  session(id: SessionId): void;
  page(page: 'chat' | 'settings' | 'first-run' | 'quick-chat-settings'): void;
  summoned(): void;
}

/** The answers of the main window. */
export const mainWindowShows: ShowHandlers = {
  session: (id) => void told(openSession(id, null)),
  page: (page) => {
    const app = appStore.getState();
    if (page === 'quick-chat-settings') app.settingsPageShown('quick-chat');
    else app.pageShown(page);
  },
  summoned: () => layoutStore.getState().composerWanted(),
};

/**
 * The one place that writes main's events into the stores. Takes the snapshot first; events that arrive meanwhile
 * wait and go on from its revision. A gap in the revision means that an event was lost: the snapshot and the open
 * session are taken again.
 * @returns the end of the first snapshot and the way to stop.
 */
export function startEventRouter(shows: ShowHandlers): { readonly ready: Promise<void>; readonly stop: () => void } {
  let revision = 0;
  let waiting: Numbered[] | null = [];
  let stopped = false;

  function arrived(events: readonly Numbered[]): void {
    for (const event of events) {
      if (waiting) waiting.push(event);
      else take(event);
    }
  }

  function take(event: Numbered): void {
    if (event.revision <= revision) return;
    if (event.revision !== revision + 1) {
      waiting = [event];
      void told(takeSnapshot());
      return;
    }
    revision = event.revision;
    apply(event, shows);
  }

  async function takeSnapshot(): Promise<void> {
    const again = appStore.getState().ready;
    const snapshot = await request('app.snapshot', {});
    if (stopped) return;
    appStore.getState().snapshotTaken(snapshot);
    revision = snapshot.revision;
    const { sessionId, branchId } = sessionStore.getState();
    if (again && sessionId !== null) await takeView(sessionId, branchId);
    const late = waiting ?? [];
    waiting = null;
    // Events at or before the snapshot are in it; what follows must join it, or it is a gap once more.
    arrived(late);
  }

  const unsubscribe = subscribe(arrived);
  return {
    ready: takeSnapshot(),
    stop: () => {
      stopped = true;
      unsubscribe();
    },
  };
}

function apply(event: AppEvent, shows: ShowHandlers): void {
  const app = appStore.getState();
  switch (event.type) {
    case 'session.changed':
      app.sessionChanged(event.session);
      break;
    case 'session.removed':
      app.sessionRemoved(event.sessionId);
      break;
    case 'providers.changed':
      app.providersChanged(event.providers, event.defaultModel);
      break;
    case 'catalogue.changed':
      app.catalogueChanged(event.catalogue);
      break;
    case 'tools.changed':
      app.toolsChanged(event.tools);
      break;
    case 'settings.changed':
      app.settingsChanged(event.settings);
      break;
    case 'theme.changed':
      app.themeChanged(event.dark);
      break;
    case 'shortcut.changed':
      app.shortcutChanged(event.refusal);
      break;
    case 'show.session':
      shows.session(event.sessionId);
      break;
    case 'show.page':
      shows.page(event.page);
      break;
    case 'quickChat.summoned':
      shows.summoned();
      break;
    default:
      applyToSession(event);
      break;
  }
}

type SessionEvent = Exclude<
  Extract<AppEvent, { readonly sessionId: SessionId }>,
  { type: 'session.removed' | 'show.session' }
>;

/** Writes a fact about one session, if that is the one this window shows or is about to show. */
export function applyToSession(event: SessionEvent): void {
  const opening = openingSession();
  // The view that is on its way may be older than this event; each event carries its whole fact, so telling it
  // once more after the view never does harm.
  if (opening?.sessionId === event.sessionId) opening.later.push(() => applyToSession(event));
  const session = sessionStore.getState();
  if (session.sessionId !== event.sessionId) return;
  switch (event.type) {
    case 'session.settings':
      session.ruleChanged(event);
      break;
    case 'message.added':
      session.messageAdded(event.message);
      break;
    case 'message.changed':
      session.messageChanged(event.branchId, event.message);
      break;
    case 'message.removed':
      session.messageRemoved(event.messageId);
      break;
    case 'message.delta':
      if (!session.textArrived(event.messageId, event.at, event.text)) readAgain(event.messageId);
      break;
    case 'tool.progress':
      session.toolSaid(event.callId, event.line);
      break;
    case 'tool.asks':
      session.toolAsked(event.question);
      break;
    case 'turn.changed':
      session.turnChanged(event.turn);
      break;
    case 'attempt.changed':
      session.attemptChanged(event.attempt);
      break;
    case 'summaries.changed':
      session.summariesChanged(event.branchId, event.summaries);
      break;
    case 'draft.files':
      session.draftFilesChanged(event.draftFiles);
      break;
    case 'stubs.changed':
      session.stubsChanged(event.branchId, event.stubs);
      break;
    case 'pins.changed':
      session.pinsChanged(event.branchId, event.pins);
      break;
    case 'proposal.changed':
      session.proposalChanged(event.branchId, event.proposal);
      break;
    case 'outbox.changed':
      session.outboxChanged(event.outbox);
      break;
    case 'notices.changed':
      session.noticesChanged(event.notices);
      break;
    case 'context.changed':
      session.contextChanged(event.branchId, event.context);
      break;
    default:
      assertNever(event);
      break;
  }
}
