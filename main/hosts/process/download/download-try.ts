import type { DownloadTry } from '../../protocol';
import { BadRedirect, NoByteInTime } from './download-request';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOTDIR', 'ENOENT', 'EIO', 'EBUSY', 'EMFILE']);
/** A connection that had been made broke off. */
const CUT = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE']);
/** No name, no route, nobody there. */
const NO_WAY = new Set(['connect', 'getaddrinfo']);
/** A certificate that proves nothing, or none at all. */
const TLS = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO)/;
const FILES = new Set([
  'open',
  'read',
  'write',
  'ftruncate',
  'fstat',
  'stat',
  'rename',
  'unlink',
  'rm',
  'fsync',
  'close',
]);

/** What a thrown value means for the download; null = nothing that is expected. */
export function outcomeOfError(error: unknown, host: string): DownloadTry | null {
  if (error instanceof NoByteInTime) return { kind: 'stalled' };
  if (error instanceof BadRedirect) return { kind: 'bad-redirect', address: error.address };
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return null;
  if (FULL.has(code)) return { kind: 'disk-full' };
  if (syscall !== undefined && NO_WAY.has(syscall)) return { kind: 'unreachable', host, reason: code };
  if (TLS.test(code)) return { kind: 'unreachable', host, reason: code };
  if (syscall !== undefined && FILES.has(syscall) && NOT_WRITABLE.has(code))
    return { kind: 'not-writable', reason: code };
  return CUT.has(code) || code.startsWith('HPE_') ? { kind: 'cut' } : null;
}

/** `retryAfter` in seconds or as a date is how servers say when to come back. */
export function outcomeOfStatus(status: number, retryAfter: string | undefined): DownloadTry {
  const seconds = Number(retryAfter ?? Number.NaN);
  return { kind: 'status', status, retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null };
}
