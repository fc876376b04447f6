import { AppError, type ErrorCode, type ErrorFields } from '../../shared/errors';
import { assertNever } from '../../shared/exhaustive';
import type { FailedFrame } from '../hosts/protocol';
import type { Input } from './machine';

/** What the user reads about a stream that failed; overflow is another matter and does not come here. */
export function turnFailure(failed: FailedFrame, address: string): { code: ErrorCode; fields: ErrorFields } {
  const { message } = failed;
  const fields = { address, ...failed.fields };
  switch (failed.cause) {
    case 'unreachable':
      return { code: 'unreachable', fields: { ...fields, reason: message } };
    case 'timeout':
      return { code: 'unreachable', fields: { ...fields, reason: 'no answer in time' } };
    case 'broke-off':
      return { code: 'connection-lost', fields };
    case 'http':
    case 'server-error':
      return { code: 'refused-by-server', fields: { status: 0, ...fields, message } };
    case 'load':
      return { code: 'not-a-model-file', fields: { file: '', ...fields, reason: message } };
    case 'overflow':
    case 'no-tools':
    case 'protocol':
    case 'internal':
      return { code: 'internal', fields: { ...fields, message } };
    default:
      return assertNever(failed.cause);
  }
}

/** Too many requests, overloaded, and a model that is still being loaded. */
const BUSY = new Set<unknown>([429, 503, 529]);
/** What no waiting mends, though it comes with the same numbers. */
const SPENT = /quota|billing|credit|payment/i;

/** True where the server asks to be left alone for a while, rather than refuses. */
export function asksToWait({ cause, fields, message }: FailedFrame): boolean {
  return cause === 'http' && BUSY.has(fields.status) && !SPENT.test(message);
}

/** A fault of this side, a database that stayed busy above all: the turn fails with its code, the message stays. */
export function faultInput(error: unknown): Extract<Input, { in: 'failed' }> {
  if (error instanceof AppError) return { in: 'failed', code: error.code, fields: error.fields };
  return { in: 'failed', code: 'internal', fields: { message: String(error) } };
}
