import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button';
import { ErrorLine } from '../../components/error-line';
import { isCommand, keysText } from '../../components/keys';
import { useAsk } from '../../components/use-ask';
import { sessionStore } from '../../stores/session-store';
import { toastStore } from '../../stores/toast-store';
import { summaryEditStore, useSummaryEdit } from './summary-edit-store';

export interface SummaryEditorProps {
  readonly label: string;
  /** The text as it is stored. */
  readonly stored: string;
  /** What the primary button says. */
  readonly saveWords: string;
  /** Saves what was typed. What main refuses is shown here, and the text stays. */
  readonly onSave: (text: string) => Promise<void>;
}

/** A summary as a field, in the place where it is read. Ctrl+Enter saves, Escape leaves it as it was. */
export function SummaryEditor({ label, stored, saveWords, onSave }: SummaryEditorProps) {
  const { t } = useTranslation();
  const text = useSummaryEdit((state) => state.text);
  const { ask, problem } = useAsk();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(0, 0);
    // its buttons are to be seen with it
    field.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, []);
  const { textTyped } = summaryEditStore.getState();
  const cannot = text.trim() === '' || text === stored;
  const save = () => {
    if (cannot) return;
    void ask(() => onSave(text)).then((done) => done && summaryEditStore.getState().editEnded());
  };
  const leave = () => leaveEdit(t('compression.fold.editing.discarded'), t('compression.fold.undo'), stored);
  const keyed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') leave();
    else if (isCommand(event.nativeEvent, 'enter')) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="sum-edit">
      <textarea
        ref={field}
        value={text}
        aria-label={label}
        spellCheck
        onChange={(event) => textTyped(event.target.value)}
        onKeyDown={keyed}
      />
      {problem && <ErrorLine error={problem} />}
      <div className="sum-edit-foot">
        <span className="grow">{t('compression.fold.editing.hint', { keys: keysText('Mod+Enter') })}</span>
        <Button onClick={leave}>{t('compression.fold.editing.cancel')}</Button>
        <Button look="primary" disabled={cannot} onClick={save}>
          {saveWords}
        </Button>
      </div>
    </div>
  );
}

/** Ends the edit; what was typed can be brought back for a while. */
function leaveEdit(said: string, undoLabel: string, stored: string): void {
  const { id, text, editEnded, editBegun } = summaryEditStore.getState();
  const { sessionId } = sessionStore.getState();
  editEnded();
  if (id === null || text === stored || sessionId === null) return;
  const undo = { label: undoLabel, of: sessionId, run: () => editBegun(id, text) };
  toastStore.getState().happened({ kind: 'done', text: said, undo });
}
