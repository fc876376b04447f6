import { expect, test } from 'vitest';
import type { DownloadTry } from '../hosts/protocol';
import { afterTry, NO_TRIES, type Tried } from './download-policy';

const tried = (outcome: Tried['outcome'], gainedBytes = 0): Tried => ({
  outcome,
  gainedBytes,
  expectedBytes: 100,
  patienceMs: 30_000,
});
const status = (code: number, retryAfterMs: number | null = null): DownloadTry => ({
  kind: 'status',
  status: code,
  retryAfterMs,
});

test.each<readonly [Tried['outcome'], object]>([
  [{ kind: 'cut' }, { kind: 'cut' }],
  [{ kind: 'died' }, { kind: 'died' }],
  [{ kind: 'stalled' }, { kind: 'stalled', seconds: 30 }],
  [
    { kind: 'unreachable', host: 'h', reason: 'ENOTFOUND' },
    { kind: 'unreachable', host: 'h', reason: 'ENOTFOUND' },
  ],
  [status(408), { kind: 'server-busy', status: 408 }],
  [status(425), { kind: 'server-busy', status: 425 }],
  [status(429), { kind: 'server-busy', status: 429 }],
  [status(500), { kind: 'server-busy', status: 500 }],
])('%o is tried again after a second', (outcome, why) => {
  expect(afterTry(tried(outcome), NO_TRIES)).toMatchObject({ kind: 'again', waitMs: 1_000, why });
});

test.each<readonly [Tried['outcome'], object]>([
  [status(401), { kind: 'refused', status: 401 }],
  [status(403), { kind: 'refused', status: 403 }],
  [status(404), { kind: 'gone' }],
  [status(410), { kind: 'gone' }],
  [status(304), { kind: 'odd-answer', status: 304 }],
  [
    { kind: 'bad-redirect', address: 'http://h' },
    { kind: 'bad-redirect', address: 'http://h' },
  ],
  [
    { kind: 'wrong-length', got: 7 },
    { kind: 'wrong-length', expected: 100, got: 7 },
  ],
  [{ kind: 'wrong-hash', whole: true }, { kind: 'wrong-hash' }],
  [{ kind: 'disk-full' }, { kind: 'disk-full' }],
  [
    { kind: 'not-writable', reason: 'EACCES' },
    { kind: 'not-writable', reason: 'EACCES' },
  ],
  [{ kind: 'hub', why: { kind: 'gone' } }, { kind: 'gone' }],
])('%o is for the user to decide', (outcome, why) => {
  expect(afterTry(tried(outcome), NO_TRIES)).toEqual({ kind: 'failed', why });
});

test('a try that brought something begins the waits anew', () => {
  const tries = { inVain: 5, restarted: false };
  expect(afterTry(tried({ kind: 'cut' }, 999_999), tries)).toMatchObject({ kind: 'failed' });
  expect(afterTry(tried({ kind: 'cut' }, 1_000_000), tries)).toMatchObject({ waitMs: 1_000, tries: { inVain: 1 } });
});

test('a server’s own time is kept where it is longer, and not waited for beyond five minutes', () => {
  expect(afterTry(tried(status(429, 100)), NO_TRIES)).toMatchObject({ waitMs: 1_000 });
  expect(afterTry(tried(status(429, 60_000)), NO_TRIES)).toMatchObject({ waitMs: 60_000 });
  expect(afterTry(tried(status(429, 300_001)), NO_TRIES)).toMatchObject({ kind: 'failed' });
});

test('a wrong checksum over bytes of an earlier try is tried once more from the start, at once', () => {
  const again = afterTry(tried({ kind: 'wrong-hash', whole: false }), NO_TRIES);
  expect(again).toEqual({ kind: 'again', waitMs: 0, why: null, tries: { inVain: 0, restarted: true } });
  expect(afterTry(tried({ kind: 'wrong-hash', whole: false }), { inVain: 0, restarted: true })).toMatchObject({
    kind: 'failed',
  });
});
