import type { ErrorCode, ErrorFields } from '../errors';

/** What crosses `invoke`: never a rejection. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: ErrorCode; readonly fields: ErrorFields };
