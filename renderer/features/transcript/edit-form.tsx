import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button';
import { told } from '../../stores/toast-store';
import { sendEdited } from './branch-actions';
import { editStore, useEdit } from './edit-store';

/** A user message as a field. Sending makes a new version; the old one stays. */
export function EditForm({ seq }: { readonly seq: number }) {
  const { t } = useTranslation();
  const text = useEdit((state) => state.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(-1, -1);
    // The field is higher than the words were: all of it, with its buttons, is to be seen.
    field.current?.closest('.turn')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const { textTyped, editEnded } = editStore.getState();
  const send = () => {
    if (text.trim() === '') return;
    void told(sendEdited(seq, text)).then((done) => done && editEnded());
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') editEnded();
    else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="user edit">
      <textarea
        ref={field}
        value={text}
        aria-label={t('transcript.editing.label', { seq })}
        onChange={(event) => textTyped(event.target.value)}
        onKeyDown={keyed}
      />
      <div className="edit-foot">
        <span className="grow t3">{t('transcript.editing.hint')}</span>
        <Button onClick={editEnded}>{t('transcript.editing.cancel')}</Button>
        <Button look="primary" disabled={text.trim() === ''} onClick={send}>
          {t('transcript.editing.send')}
        </Button>
      </div>
    </div>
  );
}
