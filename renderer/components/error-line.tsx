import { useTranslation } from 'react-i18next';
import type { ErrorCode, ErrorFields } from '../../shared/errors';
import { errorSentence } from '../i18n/error-sentence';
import { Icon } from './icon';
import { IconRefused } from './icons';

/** A refusal in one sentence, where it happened. It is read aloud when it appears. */
export function ErrorLine({ error }: { readonly error: { readonly code: ErrorCode; readonly fields: ErrorFields } }) {
  const { t } = useTranslation();
  return (
    <p className="error-line" role="alert">
      <Icon of={IconRefused} size={14} />
      {errorSentence(t, error)}
    </p>
  );
}
