import type { Clock } from '../../lib/clock';
import type { HostJob, Limits, ResultFrame, StreamPhase, UsageFrame } from '../protocol';
import type { ToolsFrame } from '../tool-protocol';

/** Where a running job puts what it has to say. Frames, credit and numbering are not its business. */
export interface Sink {
  phase(phase: StreamPhase, done?: number, of?: number): void;
  /** The server said that it is still there. */
  alive(): void;
  /** Throws JobFailure `too-large` once the answer is longer than the limit. */
  text(text: string, thinking?: boolean): void;
  /** The model calls a tool; whole. Throws JobFailure `too-large` like text. */
  call(name: string, args: string): void;
  usage(usage: UsageFrame): void;
  /** A tool server's list, whole. */
  tools(list: Omit<ToolsFrame, 't'>): void;
  /** The last lines of its error output, whole. */
  stderr(lines: readonly string[]): void;
  /** One line of a running tool for the user. */
  progress(line: string): void;
  /** The job waits for its turn on a shared model, or goes on: main's watch stands still in between. */
  waiting(waits: boolean): void;
  /** Bytes that still arrived after the cancel; reported with `stopped`. */
  lateBytes(bytes: number): void;
  /** Resolves when main has taken enough of the text for more to be read. */
  room(): Promise<void>;
}

/** Lets a job be held between two steps. */
export interface Hold {
  /** Resolves at once, or when the job is resumed or cancelled. */
  pass(): Promise<void>;
}

export interface JobContext {
  readonly sink: Sink;
  readonly signal: AbortSignal;
  readonly hold: Hold;
  readonly limits: Limits;
  readonly clock: Clock;
}

export interface JobEnd {
  readonly value: unknown;
  readonly finish: ResultFrame['finish'];
}

/**
 * Runs one job to its end. It settles only when nothing of it goes on any more (socket closed, evaluation ended),
 * since that is what `stopped` proves. Rejects with JobFailure, or with anything after the signal was aborted.
 */
export type RunJob = (job: HostJob, context: JobContext) => Promise<JobEnd>;
