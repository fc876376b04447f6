import type { FailedFrame } from '../protocol';

export type Failure = Omit<FailedFrame, 't'>;

/** Longest message of a failed frame, in UTF-16 units: servers may echo a prompt in theirs. */
const MESSAGE_MAX = 500;

/** A job's end by failure, with everything main needs to tell what happened. */
export class JobFailure extends Error {
  readonly failure: Failure;
  constructor(
    kind: Failure['kind'],
    cause: Failure['cause'],
    message: string,
    fields: Failure['fields'] = {},
    name = 'JobFailure',
  ) {
    super(message);
    this.name = name;
    this.failure = { kind, cause, name, message: message.slice(0, MESSAGE_MAX), fields };
  }
}

/** Network errors that mean "there is no server to talk to", by Node's code. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ETIMEDOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Network errors that mean "the server, or the way to it, went in the middle". */
const brokeOff = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Puts any thrown value into the closed form. A `TimeoutError` of the worker stays one, by name. */
export function failureOf(error: unknown): Failure {
  if (error instanceof JobFailure) return error.failure;
  const name = error instanceof Error || error instanceof DOMException ? error.name : 'Error';
  const text = (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_MAX);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (name === 'TimeoutError') return { kind: 'stalled', cause: 'timeout', name, message: text, fields: {} };
  if (unreachable.has(code)) return { kind: 'died', cause: 'unreachable', name, message: text, fields: { code } };
  if (brokeOff.has(code)) return { kind: 'died', cause: 'broke-off', name, message: text, fields: { code } };
  if (code !== '') return { kind: 'died', cause: 'server-error', name, message: text, fields: { code } };
  return { kind: 'died', cause: 'internal', name, message: text, fields: {} };
}
