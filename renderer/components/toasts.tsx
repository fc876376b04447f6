import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { errorSentence } from '../i18n/error-sentence';
import { TOAST_MS, TOAST_WITH_ACTION_MS, type Toast, toastStore, useToasts } from '../stores/toast-store';
import { Button } from './button';
import { Icon } from './icon';
import { IconButton } from './icon-button';
import { IconClose, IconRefused } from './icons';

/** What was just done or refused, at the window's lower left, until it has been read. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastLine({ toast }: { readonly toast: Toast }) {
  const { t } = useTranslation();
  const undo = toast.kind === 'done' ? toast.undo : null;
  const stays = undo || toast.kind === 'failed' ? TOAST_WITH_ACTION_MS : TOAST_MS;
  useEffect(() => {
    const timer = setTimeout(() => toastStore.getState().dismissed(toast.id), stays);
    return () => clearTimeout(timer);
  }, [toast.id, stays]);
  return (
    <div className="toast">
      {toast.kind === 'failed' && <Icon of={IconRefused} className="bad" />}
      <span className="grow">{toast.kind === 'failed' ? errorSentence(t, toast.error) : toast.text}</span>
      {undo && (
        <Button
          look="plain"
          onClick={() => {
            toastStore.getState().dismissed(toast.id);
            undo.run();
          }}
        >
          {undo.label}
        </Button>
      )}
      <IconButton
        small
        icon={IconClose}
        label={t('app.close')}
        onClick={() => toastStore.getState().dismissed(toast.id)}
      />
    </div>
  );
}
