/** What follows a try to download. Pure. */

import { assertNever } from '../../shared/exhaustive';
import type { DownloadFailure, DownloadTrouble } from '../../shared/model/download';
import type { DownloadTry } from '../hosts/protocol';
import { statusFailure } from './hub';

/** Waits before the next try, in milliseconds; after the last one it is the user's turn. */
const WAITS = [1_000, 3_000, 10_000, 30_000, 60_000] as const;
/** A try that brought this much was none in vain: the waits begin anew. Bytes. */
const PROGRESS = 1_000_000;
/** A server that wants to be left alone for longer is not waited for. Milliseconds. */
const LONGEST_WAIT = 300_000;

/** What has happened to this download since its user began it. */
export interface Tries {
  /** Tries in a row that brought nothing. */
  readonly inVain: number;
  /** It was thrown away and begun anew, since its bytes from earlier tries proved wrong. */
  readonly restarted: boolean;
}
export const NO_TRIES: Tries = { inVain: 0, restarted: false };

export interface Tried {
  readonly outcome: DownloadTry | { readonly kind: 'died' } | { readonly kind: 'hub'; readonly why: DownloadFailure };
  readonly gainedBytes: number;
  readonly expectedBytes: number;
  readonly patienceMs: number;
}

export type AfterTry =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly waitMs: number; readonly why: DownloadTrouble | null; readonly tries: Tries }
  | { readonly kind: 'failed'; readonly why: DownloadFailure };

export function afterTry(tried: Tried, tries: Tries): AfterTry {
  const { outcome } = tried;
  if (outcome.kind === 'done') return { kind: 'done' };
  if (outcome.kind === 'wrong-hash' && !outcome.whole && !tries.restarted) {
    return { kind: 'again', waitMs: 0, why: null, tries: { inVain: 0, restarted: true } };
  }
  const why = failureOf(tried);
  if (!isTrouble(why)) return { kind: 'failed', why };
  const inVain = tried.gainedBytes >= PROGRESS ? 0 : tries.inVain;
  const wait = WAITS[inVain];
  const asked = outcome.kind === 'status' ? (outcome.retryAfterMs ?? 0) : 0;
  if (wait === undefined || asked > LONGEST_WAIT) return { kind: 'failed', why };
  return { kind: 'again', waitMs: Math.max(wait, asked), why, tries: { ...tries, inVain: inVain + 1 } };
}

function isTrouble(why: DownloadFailure): why is DownloadTrouble {
  return ['unreachable', 'stalled', 'cut', 'server-busy', 'died'].includes(why.kind);
}

function failureOf({ outcome, expectedBytes, patienceMs }: Tried): DownloadFailure {
  switch (outcome.kind) {
    case 'hub':
      return outcome.why;
    case 'died':
    case 'cut':
    case 'disk-full':
      return { kind: outcome.kind };
    case 'unreachable':
    case 'bad-redirect':
    case 'not-writable':
      return outcome;
    case 'stalled':
      return { kind: 'stalled', seconds: Math.round(patienceMs / 1_000) };
    case 'status':
      return statusFailure(outcome.status);
    case 'wrong-length':
      return { kind: 'wrong-length', expected: expectedBytes, got: outcome.got };
    case 'wrong-hash':
      return { kind: 'wrong-hash' };
    case 'done':
      throw new Error('a finished download has not failed');
    default:
      return assertNever(outcome);
  }
}
