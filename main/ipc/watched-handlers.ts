/** Handlers whose calls also say what the user does: compression ahead of need waits for quiet. */
import type { CoreHandlers } from '../app/core';
import type { Ahead } from '../compression/ahead';
import type { ShownPaths } from '../sessions/shown-paths';

export function watched(handlers: CoreHandlers, ahead: Ahead, paths: ShownPaths): CoreHandlers {
  return {
    ...handlers,
    'sessions.open': async (input, caller) => {
      const view = await handlers['sessions.open'](input, caller);
      paths.opened(caller.windowId, input.sessionId, view.branchId);
      return view;
    },
    'sessions.saveDraft': (input, caller) => {
      ahead.typed(input.sessionId);
      return handlers['sessions.saveDraft'](input, caller);
    },
    'sessions.setAutomatic': async (input, caller) => {
      await handlers['sessions.setAutomatic'](input, caller);
      if (input.automatic === 'on') ahead.switchedOn(input.sessionId);
    },
    'compression.undo': (input, caller) => {
      ahead.undone(input.sessionId);
      return handlers['compression.undo'](input, caller);
    },
    'compression.rollBack': (input, caller) => {
      ahead.undone(input.sessionId);
      return handlers['compression.rollBack'](input, caller);
    },
  };
}
