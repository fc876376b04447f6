import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../shared/errors';
import type { Attempt, RecoverPreview } from '../../../shared/model/compression';
import { asAppError, request } from '../../bridge/request';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { ErrorLine } from '../../components/error-line';
import { useAsk } from '../../components/use-ask';
import { formatMoment } from '../../i18n/format';
import { useSession } from '../../stores/session-store';
import { cardActs } from './card-acts';
import './recover-ask.css';

export interface RecoverAskProps {
  /** The attempt that made the user wait, or the other window's own. */
  readonly attempt: Attempt;
  readonly onClose: () => void;
}

/** Says what taking a compression over from another window does, before it is done. */
export function RecoverAsk({ attempt, onClose }: RecoverAskProps) {
  const { t } = useTranslation();
  const { ask, problem } = useAsk();
  const { preview, refused } = usePreview(attempt.sessionId);
  const failed = problem ?? refused;
  const recover = () => void ask(() => cardActs.recover(attempt)).then((done) => done && onClose());
  return (
    <Dialog
      title={t('compression.recover.title')}
      description={heldWords(t, preview)}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look="primary" disabled={preview === null} onClick={recover}>
            {t(preview?.kind === 'free' ? 'compression.recover.compress' : 'compression.recover.doIt')}
          </Button>
        </>
      }
    >
      <ul className="recover-says" aria-busy={preview === null}>
        {preview && effectWords(t, preview).map((sentence) => <li key={sentence}>{sentence}</li>)}
      </ul>
      {failed && <ErrorLine error={failed} />}
    </Dialog>
  );
}

/** True while this window watches the other one: then its countdown says what there is to say. */
export function useRecovering(): boolean {
  return useSession((state) => state.notices.some(({ kind }) => kind === 'recovering'));
}

/** Looked at when the dialog opens: the other may have ended since the card was drawn. */
function usePreview(sessionId: Attempt['sessionId']) {
  const [preview, setPreview] = useState<RecoverPreview | null>(null);
  const [refused, setRefused] = useState<AppError | null>(null);
  useEffect(() => {
    let wanted = true;
    request('compression.previewRecover', { sessionId }).then(
      (answer) => wanted && setPreview(answer),
      (error: unknown) => wanted && setRefused(asAppError(error)),
    );
    return () => {
      wanted = false;
    };
  }, [sessionId]);
  return { preview, refused };
}

function heldWords(t: TFunction, preview: RecoverPreview | null): string {
  if (preview === null) return t('compression.recover.looking');
  if (preview.kind === 'free') return t('compression.recover.free');
  return preview.since === null
    ? t('compression.recover.held')
    : t('compression.recover.heldSince', { moment: formatMoment(preview.since, Date.now()) });
}

function effectWords(t: TFunction, preview: RecoverPreview): readonly string[] {
  if (preview.kind === 'free') return [t('compression.recover.now'), t('compression.recover.kept')];
  return [
    t('compression.recover.watch', { count: Math.ceil(preview.watchMs / 1_000) }),
    t('compression.recover.alive'),
    t('compression.recover.gone'),
    t('compression.recover.kept'),
    t('compression.recover.refused'),
  ];
}
