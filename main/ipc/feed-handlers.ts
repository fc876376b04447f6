import type { EventFeed } from './event-feed';
import type { Handlers } from './handlers';

/**
 * The handlers with what the event feed has to learn from them: a snapshot carries the asking window's revision,
 * and a window that opens or creates a session hears of it from then on.
 */
export function withFeed(handlers: Handlers, feed: EventFeed): Handlers {
  return {
    ...handlers,
    'app.snapshot': async (input, caller) => {
      // before the snapshot is made: what happens meanwhile is told again by the feed, which does no harm
      const revision = feed.snapshotTaken(caller.windowId);
      return { ...(await handlers['app.snapshot'](input, caller)), revision };
    },
    'sessions.open': async (input, caller) => {
      const takeBack = feed.showSession(caller.windowId, input.sessionId);
      try {
        return await handlers['sessions.open'](input, caller);
      } catch (error) {
        takeBack();
        throw error;
      }
    },
    'sessions.create': async (input, caller) => {
      const view = await handlers['sessions.create'](input, caller);
      feed.showSession(caller.windowId, view.session.id);
      return view;
    },
  };
}
