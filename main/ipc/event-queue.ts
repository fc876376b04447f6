import type { AppEvent } from '../../shared/ipc/events';

type Delta = Extract<AppEvent, { type: 'message.delta' }>;

/**
 * The queue with one more event. Pieces of one text are joined, and of an attempt's progress only the newest state
 * is kept, as long as no other event stands between that might have to be seen before it.
 */
export function queued(queue: readonly AppEvent[], event: AppEvent): AppEvent[] {
  for (let i = queue.length - 1; i >= 0; i--) {
    const earlier = queue[i];
    if (earlier === undefined || (earlier.type !== 'message.delta' && earlier.type !== 'attempt.changed')) break;
    const joined = join(earlier, event);
    if (joined) return [...queue.slice(0, i), joined, ...queue.slice(i + 1)];
  }
  return [...queue, event];
}

function join(earlier: AppEvent, event: AppEvent): AppEvent | null {
  if (earlier.type === 'message.delta' && event.type === 'message.delta') return joinDeltas(earlier, event);
  if (earlier.type === 'attempt.changed' && event.type === 'attempt.changed') {
    return earlier.sessionId === event.sessionId && earlier.attempt?.id === event.attempt?.id ? event : null;
  }
  return null;
}

function joinDeltas(earlier: Delta, later: Delta): Delta | null {
  const follows = earlier.messageId === later.messageId && earlier.at + earlier.text.length === later.at;
  return follows ? { ...earlier, text: earlier.text + later.text } : null;
}
