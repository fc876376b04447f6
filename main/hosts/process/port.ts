import type { MessagePort } from 'node:worker_threads';

/** One end of the wire between main and a host. Frames are structured clones, in order, lost only by a death. */
export interface Port {
  post(frame: unknown): void;
  onMessage(listener: (frame: unknown) => void): void;
  /** The other end is gone, or `close` was called. */
  onClose(listener: () => void): void;
  close(): void;
}

/** Electron's MessagePortMain, as far as it is used here: its messages come wrapped. */
interface ElectronPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
  close(): void;
}
interface ElectronParentPort {
  once(event: 'message', listener: (event: { ports: readonly ElectronPort[] }) => void): void;
}

export function electronPort(port: ElectronPort): Port {
  return {
    post: (frame) => port.postMessage(frame),
    onMessage: (listener) => {
      port.on('message', (event) => listener(event.data));
      port.start();
    },
    onClose: (listener) => port.on('close', listener),
    close: () => port.close(),
  };
}

export function workerPort(port: MessagePort): Port {
  return {
    post: (frame) => port.postMessage(frame),
    onMessage: (listener) => port.on('message', listener),
    onClose: (listener) => port.on('close', listener),
    close: () => port.close(),
  };
}

/** The IPC channel of a plain Node child process, as unit tests use it. */
function channelPort(): Port | null {
  if (!process.send) return null;
  return {
    post: (frame) => {
      // a parent that has just died takes nothing: its `disconnect` tells the rest
      if (process.connected) process.send?.(frame, undefined, undefined, () => {});
    },
    onMessage: (listener) => process.on('message', listener),
    onClose: (listener) => process.once('disconnect', listener),
    close: () => process.disconnect(),
  };
}

/**
 * Calls back with the wire to the parent: under Electron a MessagePort that the parent's first message brings
 * (its close event tells of the parent's end, which `process.parentPort` alone does not), else Node's channel.
 */
export function onParent(ready: (port: Port) => void): void {
  const parent = (process as unknown as { parentPort?: ElectronParentPort }).parentPort;
  if (parent) {
    parent.once('message', (event) => {
      const [port] = event.ports;
      if (port) ready(electronPort(port));
    });
    return;
  }
  const channel = channelPort();
  if (channel) ready(channel);
}
