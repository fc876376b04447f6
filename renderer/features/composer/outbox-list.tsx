import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageId, SessionId } from '../../../shared/model/ids';
import type { OutboxItem as Item } from '../../../shared/model/message';
import { request } from '../../bridge/request';
import { ErrorLine } from '../../components/error-line';
import { useAsk } from '../../components/use-ask';
import { OutboxItem } from './outbox-item';
import { moveBefore } from './outbox-order';
import type { OutboxWait } from './outbox-words';
import './outbox.css';

export interface OutboxListProps {
  readonly outbox: readonly Item[];
  readonly sessionId: SessionId;
  readonly wait: OutboxWait;
}

interface Drag {
  readonly id: MessageId;
  /** Where it would go: the row under the pointer and its half; null = not over a row. */
  readonly over: { readonly id: MessageId; readonly half: 'above' | 'below' } | null;
}

/** What was typed while the session was busy, in the order in which it is sent. */
export function OutboxList({ outbox, sessionId, wait }: OutboxListProps) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const [drag, setDrag] = useState<Drag | null>(null);
  const [movedTo, setMovedTo] = useState<{ readonly id: MessageId; readonly place: number } | null>(null);
  const grip = useRef<HTMLButtonElement>(null);
  const ids = outbox.map((item) => item.id);

  // A row that moved by keys keeps the focus, though its element was put elsewhere.
  useEffect(() => {
    if (movedTo) grip.current?.focus();
  }, [movedTo, outbox]);

  if (outbox.length === 0) return null;

  function moveTo(id: MessageId, place: number): void {
    const before = moveBefore(ids, id, place);
    if (before !== undefined) void ask(() => request('outbox.move', { sessionId, id, before }));
  }

  function drop(): void {
    if (drag?.over && drag.over.id !== drag.id) {
      const others = ids.filter((id) => id !== drag.id);
      moveTo(drag.id, others.indexOf(drag.over.id) + (drag.over.half === 'below' ? 1 : 0));
    }
    setDrag(null);
  }

  return (
    <section className="outbox" aria-label={t('composer.outbox.title')}>
      {wait && (
        <header className="outbox-head">
          <b>{t('composer.outbox.waiting', { count: outbox.length })}</b>
          <span className="cut">{t(`composer.outbox.after.${wait}`)}</span>
        </header>
      )}
      <ol className={wait ? 'outbox-list' : 'outbox-list is-alone'}>
        {outbox.map((item, index) => (
          <OutboxItem
            key={item.id}
            item={item}
            place={index + 1}
            dragged={drag?.id === item.id}
            drop={drag?.over?.id === item.id && drag.id !== item.id ? drag.over.half : null}
            gripRef={movedTo?.id === item.id ? grip : null}
            onMove={(step) => {
              const place = index + step;
              if (place < 0 || place >= outbox.length) return;
              setMovedTo({ id: item.id, place });
              moveTo(item.id, place);
            }}
            onEdit={(text) => void ask(() => request('outbox.edit', { sessionId, id: item.id, text }))}
            onRemove={() => void ask(() => request('outbox.remove', { sessionId, id: item.id }))}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', item.text);
              setDrag({ id: item.id, over: null });
            }}
            onDragOver={(event) => {
              if (!drag) return;
              event.preventDefault();
              const box = event.currentTarget.getBoundingClientRect();
              const half = event.clientY < box.top + box.height / 2 ? 'above' : 'below';
              if (drag.over?.id !== item.id || drag.over.half !== half)
                setDrag({ ...drag, over: { id: item.id, half } });
            }}
            onDragEnd={() => setDrag(null)}
            onDrop={(event) => {
              event.preventDefault();
              drop();
            }}
          />
        ))}
      </ol>
      <span className="sr" role="status">
        {movedTo ? t('composer.outbox.moved', { position: movedTo.place + 1 }) : ''}
      </span>
      {problem && (
        <div className="field-problem">
          <ErrorLine error={problem} />
        </div>
      )}
    </section>
  );
}
