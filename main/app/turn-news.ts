import type { AppEvent } from '../../shared/ipc/events';
import type { SessionId, TurnId } from '../../shared/model/ids';
import type { TurnState } from '../../shared/model/turn';

export type TurnNews =
  | { readonly kind: 'answered'; readonly sessionId: SessionId }
  | { readonly kind: 'waiting-sent'; readonly sessionId: SessionId }
  | { readonly kind: 'asks'; readonly sessionId: SessionId; readonly server: string; readonly tool: string };

/**
 * Turns the core's events into what is worth a notification: a finished answer, a deferred message that went out, a call
 * that waits for the user.
 */
export class TurnNewsReader {
  readonly #states = new Map<TurnId, TurnState>();

  heard(event: AppEvent): TurnNews | null {
    if (event.type === 'tool.asks' && event.question)
      return { kind: 'asks', sessionId: event.sessionId, server: event.question.server, tool: event.question.tool };
    if (event.type !== 'turn.changed') return null;
    const { sessionId, turn } = event;
    const before = this.#states.get(turn.id);
    if (turn.endedAt === null) this.#states.set(turn.id, turn.state);
    else this.#states.delete(turn.id);
    if (turn.elsewhere || before === turn.state) return null;
    if (turn.state === 'completed' && before !== undefined) return { kind: 'answered', sessionId };
    // between the two it may be prepared and compressed; the deferral is remembered until the request leaves
    if (before === 'deferred' && (turn.state === 'preparing' || turn.state === 'compressing')) {
      this.#states.set(turn.id, 'deferred');
      return null;
    }
    return before === 'deferred' && turn.state === 'requesting' ? { kind: 'waiting-sent', sessionId } : null;
  }
}
