import type { Limits, ToMain } from './protocol';
import { PROCESS, PROTOCOL } from './protocol';

/** What main makes of something that came out of a port. */
export type Checked =
  | { readonly ok: true; readonly frame: ToMain }
  /** `foreign` = another version or an unknown kind: counted, never acted on. `over` = larger than allowed. */
  | { readonly ok: false; readonly why: 'foreign' | 'over'; readonly stream: number };

const kinds = new Set([
  'ready',
  'phase',
  'alive',
  'text',
  'call',
  'usage',
  'paused',
  'resumed',
  'result',
  'failed',
  'stopped',
]);

/** A process may have gone mad: what it sends is looked at before it is believed. */
export function checkFrame(raw: unknown, limits: Limits): Checked {
  if (typeof raw !== 'object' || raw === null) return { ok: false, why: 'foreign', stream: PROCESS };
  const { v, s, n, t, text, name, args } = raw as Record<string, unknown>;
  const stream = typeof s === 'number' ? s : PROCESS;
  if (typeof t !== 'string' || !kinds.has(t) || typeof s !== 'number' || typeof n !== 'number') {
    return { ok: false, why: 'foreign', stream };
  }
  // A `ready` of another version is let through: it is how main learns of the difference.
  if (v !== PROTOCOL && t !== 'ready') return { ok: false, why: 'foreign', stream };
  if (t === 'text') {
    if (typeof text !== 'string') return { ok: false, why: 'foreign', stream };
    if (
      text.length > limits.frameBytes ||
      (text.length * 3 > limits.frameBytes && overBytes(text, limits.frameBytes))
    ) {
      return { ok: false, why: 'over', stream };
    }
  }
  if (t === 'call') {
    if (typeof name !== 'string' || typeof args !== 'string') return { ok: false, why: 'foreign', stream };
    if (overBytes(name, limits.frameBytes) || overBytes(args, limits.lineBytes))
      return { ok: false, why: 'over', stream };
  }
  return { ok: true, frame: raw as ToMain };
}

function overBytes(text: string, limit: number): boolean {
  return Buffer.byteLength(text) > limit;
}
