/** Which session and path each app window shows, as it opened it last: what changes on them is told to it. */
import type { BranchId, SessionId } from '../../shared/model/ids';

/** More than there are windows at a time. */
const MOST = 16;

export class ShownPaths {
  readonly #byWindow = new Map<number, { readonly sessionId: SessionId; readonly branchId: BranchId }>();

  opened(windowId: number, sessionId: SessionId, branchId: BranchId): void {
    this.#byWindow.delete(windowId); // so that it stands last
    this.#byWindow.set(windowId, { sessionId, branchId });
    // windows do not say goodbye here: those that opened something last are kept
    const [oldest] = this.#byWindow.keys();
    if (this.#byWindow.size > MOST && oldest !== undefined) this.#byWindow.delete(oldest);
  }

  sessions(): SessionId[] {
    return [...new Set([...this.#byWindow.values()].map((path) => path.sessionId))];
  }
  branchesOf(sessionId: SessionId): BranchId[] {
    const paths = [...this.#byWindow.values()].filter((path) => path.sessionId === sessionId);
    return [...new Set(paths.map((path) => path.branchId))];
  }
}
