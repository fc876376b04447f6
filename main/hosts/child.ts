import type { Port } from './process/port';
import type { HostRole } from './protocol';

/** A started process as main sees it: Electron's utility process in the app, a plain Node child in unit tests. */
export interface Child {
  /** undefined until it has spawned. */
  readonly pid: number | undefined;
  readonly port: Port;
  onSpawn(listener: () => void): void;
  /** `code` is null where a signal ended it. Nothing may be posted from this listener. */
  onExit(listener: (code: number | null) => void): void;
  /** Ends it at once. False = there was nothing to end. */
  kill(): boolean;
}

export type Fork = (role: HostRole) => Child;
