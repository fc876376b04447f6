import './empty-chat.css';
import { useTranslation } from 'react-i18next';
import type { SessionId } from '../../../shared/model/ids';
import { Button } from '../../components/button';
import { IconImport } from '../../components/icons';
import { formatDay } from '../../i18n/format';
import { useApp } from '../../stores/app-store';
import { openSession } from '../../stores/open-session';
import { importConversations, titleOf } from '../../stores/session-actions';
import { told } from '../../stores/toast-store';

/** Chats that are offered to go on with. */
const SHOWN = 3;

/** A chat without messages: just above the composer, the last chats and the way to bring others in. */
export function EmptyChat() {
  const { t } = useTranslation();
  const order = useApp((state) => state.order);
  const rows = useApp((state) => state.rows);
  const last = order
    .map((id) => rows[id])
    .filter((row) => row !== undefined && row.messages > 0)
    .sort((a, b) => (b?.updatedAt ?? 0) - (a?.updatedAt ?? 0))
    .slice(0, SHOWN);
  return (
    <div className="reading">
      <section className="scroll" aria-label={t('transcript.empty.label')}>
        <div className="flow">
          <div className="col start">
            {last.length > 0 && (
              <>
                <h2>{t('transcript.empty.last')}</h2>
                <ul>{last.map((row) => row && <LastChat key={row.id} id={row.id} />)}</ul>
              </>
            )}
            <div className="start-more">
              <Button look="quiet" icon={IconImport} onClick={() => void importConversations([])}>
                {t('transcript.empty.import')}
              </Button>
            </div>
          </div>
        </div>
      </section>
    </div>
  );
}

function LastChat({ id }: { readonly id: SessionId }) {
  const { t } = useTranslation();
  const row = useApp((state) => state.rows[id]);
  if (!row) return null;
  return (
    <li>
      <button type="button" onClick={() => void told(openSession(id, null))}>
        <span className="cut">{titleOf(row.title)}</span>
        <span className="from">{t('transcript.empty.messages', { count: row.messages })}</span>
        <time>{formatDay(row.updatedAt, Date.now())}</time>
      </button>
    </li>
  );
}
