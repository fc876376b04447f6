import type {
  CancelWhy,
  FailedFrame,
  HostJob,
  Job,
  ResultFrame,
  StreamId,
  StreamPhase,
  Target,
  UsageFrame,
} from './protocol';
import type { ProgressFrame, StderrFrame, ToolsFrame } from './tool-protocol';

/**
 * What a stream reports while it runs. `phase` with grown `done`, `text`, `call` and `usage` are substance; `alive` only
 * while a model loads.
 */
export type StreamEvent =
  | { readonly t: 'phase'; readonly phase: StreamPhase; readonly done?: number; readonly of?: number }
  | { readonly t: 'alive' }
  | { readonly t: 'text'; readonly text: string; readonly thinking?: true }
  | { readonly t: 'call'; readonly name: string; readonly args: string }
  | ({ readonly t: 'usage' } & UsageFrame)
  | { readonly t: 'paused' }
  | { readonly t: 'resumed' }
  | ToolsFrame
  | StderrFrame
  | ProgressFrame
  | { readonly t: 'settled'; readonly end: StreamEnd };

/** How a stream ended, once. `exited` = its process went away without a last frame, whatever the exit code. */
export type StreamEnd =
  | ResultFrame
  | FailedFrame
  | { readonly t: 'stopped' }
  | { readonly t: 'exited'; readonly code: number | null; readonly killedByUs: boolean };

/** Main's handle on one stream of a utility process (or of a scripted stand-in in tests). */
export interface StreamHandle {
  readonly id: StreamId;
  readonly job: HostJob;
  /** The end if it has arrived by now, else null. Settled wins over any timer: look here before judging. */
  readonly end: StreamEnd | null;
  on(listener: (event: StreamEvent) => void): () => void;
  /** Asks the stream to stop. On a settled stream it does nothing. */
  cancel(why: CancelWhy): void;
  /** Kills the stream's process. Proof comes as `exited`. */
  kill(): void;
  pause(): void;
  resume(): void;
}

/** Why a stream could not be opened. */
export type OpenRefusal =
  | { readonly refused: 'no-slot' }
  | { readonly refused: 'barred' }
  | { readonly refused: 'quitting' };

/**
 * One attempt's place to run its streams: a summarizer process of its own, or a job channel of the embedded host.
 * Its streams run one after another.
 */
export interface AttemptSlot {
  open(job: Job): StreamHandle | OpenRefusal;
  /** Gives the place back. A stream that is still being stopped keeps the process until its proof. */
  release(): void;
}

/** Opens streams in the process that fits: summarizers one an attempt, chats in the chat host, GGUF files in their own host. */
export interface StreamOpener {
  /** For kinds chat, count, load and unload. */
  open(job: Job): StreamHandle | OpenRefusal;
  /** Takes a place for an attempt before it asks for the lease. `no-slot` = two summarizers run already. */
  reserve(target: Target): AttemptSlot | OpenRefusal;
  /** True while `reserve` would give a place. */
  hasPlace(target: Target): boolean;
  /** Calls back each time that a place may be free; answers the way to stop waiting. */
  onSlotFree(fn: () => void): () => void;
}
export function isRefusal(opened: StreamHandle | AttemptSlot | OpenRefusal): opened is OpenRefusal {
  return 'refused' in opened;
}
