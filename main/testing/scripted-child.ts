import type { Child, Fork } from '../hosts/child';
import { type Head, type HostRole, PROCESS, PROTOCOL, type ToHost, type ToMain } from '../hosts/protocol';

type Body = ToMain extends infer F ? (F extends unknown ? Omit<F, keyof Head> : never) : never;

/** A process that is only a port in the test's hands: it says what the test says, sane or mad. */
export class ScriptedChild implements Child {
  readonly role: HostRole;
  /** Frames that main has posted, in order. */
  readonly got: ToHost[] = [];
  pid: number | undefined = undefined;
  kills = 0;
  #n = new Map<number, number>();
  #message: (frame: unknown) => void = () => {};
  #close: () => void = () => {};
  #spawn: () => void = () => {};
  #exit: (code: number | null) => void = () => {};
  portClosed = false;

  constructor(role: HostRole) {
    this.role = role;
  }

  readonly port = {
    post: (frame: unknown) => void this.got.push(frame as ToHost),
    onMessage: (listener: (frame: unknown) => void) => {
      this.#message = listener;
    },
    onClose: (listener: () => void) => {
      this.#close = listener;
    },
    close: () => {
      this.portClosed = true;
    },
  };
  onSpawn(listener: () => void): void {
    this.#spawn = listener;
  }
  onExit(listener: (code: number | null) => void): void {
    this.#exit = listener;
  }
  kill(): boolean {
    this.kills++;
    return true;
  }

  spawned(): void {
    this.#spawn();
  }
  ready(version = PROTOCOL): void {
    this.raw({ v: version, s: PROCESS, n: 1, t: 'ready', role: this.role, pid: 1, runtime: 'test' });
  }
  /** Sends with the right number. */
  say(stream: number, body: Body): void {
    const n = (this.#n.get(stream) ?? 0) + 1;
    this.#n.set(stream, n);
    this.raw({ v: PROTOCOL, s: stream, n, ...body });
  }
  raw(frame: unknown): void {
    this.#message(frame);
  }
  exits(code: number | null): void {
    this.#exit(code);
  }
  closes(): void {
    this.#close();
  }
  gotOf(t: ToHost['t']): ToHost[] {
    return this.got.filter((frame) => frame.t === t);
  }
}

/** Collects the children it makes. */
export function scriptedFork(children: ScriptedChild[]): Fork {
  return (role) => {
    const child = new ScriptedChild(role);
    children.push(child);
    return child;
  };
}
