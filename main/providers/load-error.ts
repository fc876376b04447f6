import { AppError } from '../../shared/errors';
import type { StreamEnd } from '../hosts/stream-handle';
import type { ModelFacts } from './registry-types';

/** Why a model could not be loaded, for the button that asked for it. */
export function loadError(facts: ModelFacts, end: Exclude<StreamEnd, { t: 'result' }>): AppError {
  if (end.t === 'failed' && end.cause === 'load') {
    return new AppError('not-a-model-file', { file: facts.name, reason: end.message });
  }
  if (end.t === 'failed' && end.cause === 'unreachable') {
    return new AppError('unreachable', { address: facts.name, reason: end.message });
  }
  if (end.t === 'failed') return new AppError('refused-by-server', { status: 0, message: end.message, ...end.fields });
  return new AppError('refused-by-server', { status: 0, message: `the model's process ended: ${end.t}` });
}
