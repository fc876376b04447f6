import type { TFunction } from 'i18next';
import type { ErrorCode, ErrorFields } from '../../shared/errors';

/** The plain sentence for a refused request: what happened, with its numbers, and what to do next. */
export function errorSentence(t: TFunction, error: { readonly code: ErrorCode; readonly fields: ErrorFields }): string {
  return t(`errors.${unnamed(error) ?? error.code}` as 'errors.busy', error.fields);
}

/** A stream that fails does not always know what a request knows: then the sentence does without it. */
function unnamed({ code, fields }: Parameters<typeof errorSentence>[1]): string | null {
  if (code === 'unreachable' && !fields.address) return 'unreachable-server';
  if (code === 'refused-by-server' && !fields.status) return 'server-failed';
  if (code === 'not-a-model-file' && !fields.file) return 'model-not-loaded';
  if (code === 'tool-server-exited' && !fields.said)
    return fields.code === '' ? 'tool-server-gone' : `${code}-silently`;
  return null;
}
