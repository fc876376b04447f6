import { type DragEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutboxItem as Item } from '../../../shared/model/message';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/icon-button';
import { IconClose, IconEdit, IconGrip } from '../../components/icons';
import { isComposing } from '../../components/message-field';

export interface OutboxItemProps {
  readonly item: Item;
  /** Counted from 1. */
  readonly place: number;
  readonly drop: 'above' | 'below' | null;
  readonly dragged: boolean;
  readonly gripRef: RefObject<HTMLButtonElement | null> | null;
  readonly onMove: (step: -1 | 1) => void;
  readonly onEdit: (text: string) => void;
  readonly onRemove: () => void;
  readonly onDragStart: (event: DragEvent) => void;
  readonly onDragOver: (event: DragEvent<HTMLLIElement>) => void;
  readonly onDragEnd: () => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** One waiting message: drag its handle or press Alt and Up or Down; edit it in place; remove it. */
export function OutboxItem(props: OutboxItemProps) {
  const { item, place, drop, dragged } = props;
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const classes = ['outbox-item', dragged ? 'is-dragged' : '', drop ? `drop-${drop}` : ''].filter(Boolean).join(' ');
  return (
    <li
      className={classes}
      draggable={!editing}
      onDragStart={props.onDragStart}
      onDragOver={props.onDragOver}
      onDragEnd={props.onDragEnd}
      onDrop={props.onDrop}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        props.onMove(event.key === 'ArrowUp' ? -1 : 1);
      }}
    >
      <button
        type="button"
        className="outbox-grip"
        ref={props.gripRef}
        aria-label={t('composer.outbox.move', { position: place })}
      >
        <Icon of={IconGrip} />
      </button>
      <span className="outbox-place">{place}</span>
      {editing ? (
        <Editor
          item={item}
          place={place}
          onDone={(text) => {
            setEditing(false);
            if (text !== null && text !== item.text) props.onEdit(text);
          }}
        />
      ) : (
        <>
          <span className="grow cut">{item.text || item.files.map(({ name }) => name).join(', ')}</span>
          {item.files.length > 0 && (
            <span className="outbox-files">{t('composer.outbox.files', { count: item.files.length })}</span>
          )}
          <IconButton icon={IconEdit} label={t('composer.outbox.edit')} onClick={() => setEditing(true)} />
          <IconButton icon={IconClose} label={t('composer.outbox.remove')} onClick={props.onRemove} />
        </>
      )}
    </li>
  );
}

interface EditorProps {
  readonly item: Item;
  readonly place: number;
  /** The new text; null = left as it was. */
  readonly onDone: (text: string | null) => void;
}

/** Enter and leaving the field save, Escape leaves it as it was; an emptied text changes nothing. */
function Editor({ item, place, onDone }: EditorProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(item.text);
  const save = () => onDone(text.trim() === '' ? null : text);
  const keys = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    event.stopPropagation();
    if (event.key === 'Escape') onDone(null);
    else if (event.key === 'Enter' && !event.shiftKey) save();
    else return;
    event.preventDefault();
  };
  return (
    <textarea
      className="outbox-edit"
      rows={1}
      aria-label={t('composer.outbox.editing', { position: place })}
      value={text}
      // biome-ignore lint/a11y/noAutofocus: it opens where the user pressed Edit
      autoFocus
      onFocus={(event) => event.target.setSelectionRange(text.length, text.length)}
      onChange={(event) => setText(event.target.value)}
      onBlur={save}
      onKeyDown={keys}
    />
  );
}
