import type { TFunction } from 'i18next';
import type { ErrorCode, ErrorFields } from '../../shared/errors';

/** The plain sentence for a refused request: what happened, with its numbers, and what to do next. */
export function errorSentence(t: TFunction, error: { readonly code: ErrorCode; readonly fields: ErrorFields }): string {
  return t(`errors.${error.code}` as 'errors.busy', error.fields);
}
