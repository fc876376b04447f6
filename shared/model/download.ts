import { z } from 'zod';
import type { ModelRef } from './ids';
import type { MemoryFit } from './memory';

/** Names one entry of the catalogue; also what its record on disk is known by. */
export const catalogueId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,79}$/)
  .brand<'CatalogueId'>();
export type CatalogueId = z.infer<typeof catalogueId>;

/** Why one try to get a file ended, for which the next one may go better. */
export type DownloadTrouble =
  | { readonly kind: 'unreachable'; readonly host: string; readonly reason: string }
  /** Nothing arrived for that long. */
  | { readonly kind: 'stalled'; readonly seconds: number }
  /** The connection broke off. */
  | { readonly kind: 'cut' }
  /** 408, 425, 429 and 5xx. */
  | { readonly kind: 'server-busy'; readonly status: number }
  /** The process that downloads went away. */
  | { readonly kind: 'died' };

/** Why a download ended without its file: every case has one sentence that says what to do next. */
export type DownloadFailure =
  | DownloadTrouble
  /** 401 and 403. */
  | { readonly kind: 'refused'; readonly status: number }
  /** 404 and 410, or the hub does not list the file. */
  | { readonly kind: 'gone' }
  /** Another status, or an answer that makes no sense. */
  | { readonly kind: 'odd-answer'; readonly status: number }
  /** Sent on to an address that is not encrypted, or round in circles. */
  | { readonly kind: 'bad-redirect'; readonly address: string }
  | { readonly kind: 'wrong-length'; readonly expected: number; readonly got: number }
  | { readonly kind: 'wrong-hash' }
  /** Found before the first byte. */
  | { readonly kind: 'no-space'; readonly needBytes: number; readonly freeBytes: number }
  /** Found while writing. */
  | { readonly kind: 'disk-full' }
  | { readonly kind: 'not-writable'; readonly reason: string }
  /** Whole and as promised, and yet no model. */
  | { readonly kind: 'not-a-model'; readonly reason: string }
  /** Whole and as promised, and it could not be read just now: it stays, and is looked at again at the next try. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** Another window on this profile downloads it. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'internal'; readonly message: string };

/** `done` and `of` in bytes; what has arrived stays for a later try in every state but `done`. */
export type Download =
  /** The hub is asked for size and checksum. */
  | { readonly state: 'asking' }
  /** What came earlier is read again, for the checksum. */
  | { readonly state: 'checking'; readonly done: number; readonly of: number }
  | {
      readonly state: 'running';
      readonly done: number;
      readonly of: number;
      /** Over the last seconds; null = not known yet. */
      readonly bytesPerSecond: number | null;
    }
  /** Tried again by itself at `retryAt`, in wall-clock milliseconds. */
  | {
      readonly state: 'waiting';
      readonly done: number;
      readonly of: number;
      readonly retryAt: number;
      readonly why: DownloadTrouble;
    }
  | { readonly state: 'paused'; readonly done: number; readonly of: number }
  | { readonly state: 'failed'; readonly done: number; readonly of: number | null; readonly why: DownloadFailure }
  /** The file is here and in the list of models. */
  | { readonly state: 'done'; readonly model: ModelRef };

/** One model that can be had, as a window shows it. */
export interface CatalogueRow {
  readonly id: CatalogueId;
  readonly name: string;
  readonly licence: string;
  /** Where the file is taken from. */
  readonly source: string;
  /** Billions of parameters. */
  readonly parameters: number;
  /** Size of the file; null = the hub is asked before the download. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Memory needed with a window of 8,192 tokens, in bytes; null = not known before its size. */
  readonly needsBytes: number | null;
  readonly fit: MemoryFit | null;
  /** null = nothing of it is here. */
  readonly download: Download | null;
}
