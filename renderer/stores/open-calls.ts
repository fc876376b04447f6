import type { ToolCall } from '../../shared/model/message';
import { messageAt } from './message-window';
import { sessionStore } from './session-store';

/** Calls of the last answer that have no result yet, in order: the first of them runs or waits for the user. */
export function openCalls(): readonly ToolCall[] {
  const { window, lastSeq } = sessionStore.getState();
  const answered = new Set<string>();
  for (let seq = lastSeq; seq > 0; seq--) {
    const message = messageAt(window, seq);
    if (message?.role !== 'tool') return (message?.calls ?? []).filter(({ id }) => !answered.has(id));
    if (message.result) answered.add(message.result.call.id);
  }
  return [];
}
