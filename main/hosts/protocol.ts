/**
 * What main and a utility process say to each other over one MessagePort. Frames are structured clones.
 * Both sides ship together, so versions must be equal. Rules: main/hosts/README.md.
 */
import type { FailureKind } from '../../shared/model/compression';
import type { ToolCall } from '../../shared/model/message';
import type { ProgressFrame, StderrFrame, ToolJob, ToolsFrame } from './tool-protocol';

export const PROTOCOL = 3;

/** Minted by main, never used twice in a process's life; 0 is the process itself. */
export type StreamId = number & { readonly __brand: 'StreamId' };
export const PROCESS = 0;

export const roles = ['summarizer', 'chat', 'embedded', 'documents', 'downloads', 'tools', 'files'] as const;
export type HostRole = (typeof roles)[number];

/** v = PROTOCOL; n = 1, 2, 3 … per stream and direction: a gap is a fault, a repeat is dropped. */
export interface Head {
  readonly v: number;
  readonly s: StreamId | typeof PROCESS;
  readonly n: number;
}

/** Sizes in bytes, times in milliseconds. Source: design, section 7. */
export interface Limits {
  readonly lineBytes: number;
  readonly answerBytes: number;
  readonly frameBytes: number;
  readonly headerMs: number;
}
export const LIMITS: Limits = { lineBytes: 1_000_000, answerBytes: 8_000_000, frameBytes: 16_000, headerMs: 30_000 };

/** Text frames that a host may send before main has handled some, and the level at which main tops up. */
export const CREDIT = { start: 32, topUpAt: 16 } as const;

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of an answer: the tools that it called. Each is followed by its result. */
  readonly calls?: readonly ToolCall[];
  /** Of a result (role `tool`): the call it belongs to. */
  readonly answers?: { readonly id: string; readonly name: string };
  /** Pictures of a user message: hashes of their files while a request is put together, paths once it leaves. */
  readonly images?: readonly string[];
}

/** A tool as a model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its arguments: an object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Where a stream's model runs. A key travels only here, for this stream. */
export type Target =
  | {
      readonly kind: 'ollama';
      readonly address: string;
      readonly model: string;
      readonly key: string | null;
      /** Where the system sends requests to another machine; missing = straight. */
      readonly proxy?: string;
      readonly askWindow: number;
      /** How long the server keeps the model after a request, in seconds; -1 = until it is told to let go. */
      readonly keepSeconds: number;
    }
  | {
      readonly kind: 'openai';
      readonly address: string;
      readonly model: string;
      readonly key: string | null;
      readonly proxy?: string;
      /** The server is llama.cpp's: it reports how far it has read when asked, and counts exactly. */
      readonly llamaServer?: true;
    }
  | {
      readonly kind: 'embedded';
      readonly path: string;
      readonly askWindow: number;
      readonly threads: number;
      /** Always the likeliest token, without penalties: the practice model repeats exactly only so. */
      readonly greedy?: true;
    };

export type Job =
  /** Streams one answer. `maxTokens` bounds the output. */
  | {
      readonly kind: 'chat';
      readonly target: Target;
      readonly messages: readonly ChatMessage[];
      /** What the model may call; left out for a model without tools. */
      readonly tools?: readonly ToolSpec[];
      readonly maxTokens: number;
    }
  /** Streams one piece of a summary: a chunk's notes, or the fold of all notes. */
  | {
      readonly kind: 'summary';
      readonly target: Target;
      readonly messages: readonly ChatMessage[];
      readonly maxTokens: number;
      /** Goes on from what the chat was sent, where its cache is; with the tools that it was offered. */
      readonly whole?: true;
      readonly tools?: readonly ToolSpec[];
    }
  /** Exact prompt tokens of these messages with the model's own tokenizer and template. */
  | {
      readonly kind: 'count';
      readonly target: Target;
      readonly messages: readonly ChatMessage[];
      readonly tools?: readonly ToolSpec[];
    }
  | { readonly kind: 'load'; readonly target: Target }
  | { readonly kind: 'unload'; readonly target: Target };

/** Streams the text of a document. A file may be broken, or made to break its reader: it is never read in main. */
export interface DocumentJob {
  readonly kind: 'document';
  readonly path: string;
  readonly format: 'pdf' | 'docx';
  /** UTF-16 units after which it ends `too-large`. */
  readonly maxChars: number;
}

/**
 * One try to bring a file here, going on where an earlier one stopped. The file stands at `path` only once all of it is
 * as promised; until then there are `path.part` and, beside it, `path.json`: the record with the server's ETag.
 */
export interface DownloadJob {
  readonly kind: 'download';
  readonly url: string;
  readonly path: string;
  /** What it has to be. */
  readonly bytes: number;
  readonly sha256: string;
  /** Written into the record, for the next start of the app. */
  readonly record: Readonly<Record<string, string | number | null>>;
  /** Where the system sends requests to other machines; null = straight. */
  readonly proxy: string | null;
  /** Milliseconds without a byte after which the server is given up. */
  readonly patienceMs: number;
}

/** How one try ended: what can be expected of networks, servers and disks is a value, not a failure. */
export type DownloadTry =
  | { readonly kind: 'done' }
  /** The connection broke off, or the answer ended too early. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'unreachable'; readonly host: string; readonly reason: string }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'bad-redirect'; readonly address: string }
  /** The server has another file: what was here of this one is gone. */
  | { readonly kind: 'wrong-length'; readonly got: number }
  /** It is gone; `whole` = no byte of it came from an earlier try. */
  | { readonly kind: 'wrong-hash'; readonly whole: boolean }
  | { readonly kind: 'disk-full' }
  | { readonly kind: 'not-writable'; readonly reason: string };

export type HostJob = Job | DocumentJob | DownloadJob | ToolJob;
/** True for a job that a model does. */
export function isModelJob(job: HostJob): job is Job {
  return 'target' in job;
}

/** Value of a `result` frame, by job. */
export interface ResultOf {
  readonly chat: { readonly text: string };
  readonly summary: { readonly text: string };
  readonly count: { readonly tokens: number };
  readonly load: { readonly served: number; readonly trained: number | null };
  readonly unload: null;
  readonly document: null;
  readonly download: DownloadTry;
  readonly 'tool-server': null;
  /** `failed` = the tool itself says so; its text says why. */
  readonly 'tool-call': { readonly failed: boolean };
  readonly 'read-file': { readonly failed: boolean };
  readonly 'search-folder': { readonly failed: boolean };
  readonly 'gone-folders': { readonly failed: boolean };
}

export type CancelWhy = 'user' | 'idle' | 'ceiling' | 'superseded' | 'unwind' | 'quit' | 'busy' | 'lease-lost';

export type StreamPhase = 'connecting' | 'loading' | 'reading' | 'writing';

export type ToHost = Head &
  (
    | { readonly t: 'start'; readonly role: HostRole; readonly instance: string; readonly limits: Limits }
    | { readonly t: 'open'; readonly job: HostJob; readonly credit: number }
    | { readonly t: 'credit'; readonly frames: number }
    | { readonly t: 'pause' }
    | { readonly t: 'resume' }
    | { readonly t: 'cancel'; readonly why: CancelWhy }
    | { readonly t: 'ack'; readonly of: number }
    | { readonly t: 'bye'; readonly graceMs: number }
  );

/** Prompt tokens given by the runtime, and rates in tokens per second. */
export interface UsageFrame {
  readonly prompt?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly prefillRate?: number;
  readonly decodeRate?: number;
}

/**
 * Why a stream failed. `overflow` and the server's own refusals keep their numbers in `fields`
 * (needTokens, windowTokens, status, bytes, retryAfterMs); `name` keeps the error's own name, so that a
 * worker's `TimeoutError` is never taken for a timer of main.
 */
export interface FailedFrame {
  readonly t: 'failed';
  readonly kind: Extract<FailureKind, 'stalled' | 'died' | 'malformed' | 'empty' | 'refused' | 'cut' | 'too-large'>;
  readonly cause:
    | 'timeout'
    | 'overflow'
    /** The server refuses a request because it carries tools. */
    | 'no-tools'
    | 'unreachable'
    | 'http'
    | 'server-error'
    | 'broke-off'
    | 'load'
    | 'protocol'
    | 'internal';
  readonly name: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number>>;
}
export interface ResultFrame {
  readonly t: 'result';
  readonly value: unknown;
  readonly finish: 'stop' | 'length' | 'calls';
}
/** Answer to cancel: socket closed, or evaluation ended and sequence disposed of = proof of stop. */
export interface StoppedFrame {
  readonly t: 'stopped';
  readonly bytesAfterCancel: number;
}

export type ToMain = Head &
  (
    | { readonly t: 'ready'; readonly role: HostRole; readonly pid: number; readonly runtime: string }
    /** Progress inside a phase is substance. `done` and `of` are tokens; while loading, percent; of a download, bytes. */
    | { readonly t: 'phase'; readonly phase: StreamPhase; readonly done?: number; readonly of?: number }
    /** The server's keep-alive: shown; to the watch over a stream it is substance while a model loads. */
    | { readonly t: 'alive' }
    | { readonly t: 'text'; readonly text: string; readonly thinking?: true }
    /** The model calls a tool: whole, once. `args` is JSON where the model kept to the schema. */
    | { readonly t: 'call'; readonly name: string; readonly args: string }
    | ({ readonly t: 'usage' } & UsageFrame)
    | { readonly t: 'paused' }
    | { readonly t: 'resumed' }
    | ToolsFrame
    | StderrFrame
    | ProgressFrame
    | ResultFrame
    | FailedFrame
    | StoppedFrame
  );

/** Exactly one a stream; nothing of the stream comes after it. */
export type LastFrame = ResultFrame | FailedFrame | StoppedFrame;
export function isLast<F extends { readonly t: string }>(frame: F): frame is Extract<F, { t: LastFrame['t'] }> {
  return frame.t === 'result' || frame.t === 'failed' || frame.t === 'stopped';
}
