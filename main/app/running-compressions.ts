import type { AppEvent } from '../../shared/ipc/events';
import type { SessionId } from '../../shared/model/ids';
import type { RunningCompression } from './tray-menu';

/** Keeps the list of running compressions from the core's events. Answers the new list, or null where it is the same. */
export class RunningCompressions {
  readonly #running = new Map<SessionId, RunningCompression>();

  heard(event: AppEvent): readonly RunningCompression[] | null {
    if (event.type === 'session.removed') return this.#running.delete(event.sessionId) ? this.list() : null;
    if (event.type !== 'session.changed') return null;
    const { id, title, activity } = event.session;
    if (activity.kind !== 'compressing') return this.#running.delete(id) ? this.list() : null;
    const before = this.#running.get(id);
    if (before && before.title === title && before.done === activity.done && before.of === activity.of) return null;
    this.#running.set(id, { sessionId: id, title, done: activity.done, of: activity.of });
    return this.list();
  }

  list(): readonly RunningCompression[] {
    return [...this.#running.values()];
  }
}
