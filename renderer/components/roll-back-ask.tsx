import type { TFunction } from 'i18next';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../shared/errors';
import type { RollBackPreview } from '../../shared/model/compression';
import type { SummaryId } from '../../shared/model/ids';
import { asAppError, request } from '../bridge/request';
import { useApp } from '../stores/app-store';
import { sessionStore, useSession } from '../stores/session-store';
import { Button } from './button';
import { ErrorLine } from './error-line';
import { Popover } from './popover';
import './roll-back-ask.css';
import { useAsk } from './use-ask';

export interface RollBackAskProps {
  readonly summaryId: SummaryId;
  /** Takes that summary out, or every newer one. */
  readonly how: 'undo' | 'roll-back';
  /** The button that opens it. */
  readonly trigger: ReactNode;
  /** Words of the button that does it. */
  readonly doIt: string;
  readonly onDo: () => Promise<void>;
}

/** Says what a roll back makes of the next request, and whether that fits, before it is done. */
export function RollBackAsk({ summaryId, how, trigger, doIt, onDo }: RollBackAskProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { ask, problem, clear } = useAsk();
  const { preview, refused } = usePreview(open, summaryId, how);
  const automatic = useAutomatic();
  const failed = problem ?? refused;
  return (
    <Popover
      trigger={trigger}
      label={t('compression.back.label')}
      open={open}
      onOpenChange={(wanted) => {
        clear();
        setOpen(wanted);
      }}
    >
      <div className="back-ask" aria-busy={preview === null}>
        {preview ? (
          previewSentences(t, preview, how, automatic).map((sentence) => <p key={sentence}>{sentence}</p>)
        ) : (
          <p>{t(refused ? 'compression.back.notCounted' : 'compression.back.counting')}</p>
        )}
        {failed && <ErrorLine error={failed} />}
        <div className="back-foot">
          <Button onClick={() => setOpen(false)}>{t('compression.back.cancel')}</Button>
          <Button
            look="primary"
            disabled={preview === null}
            onClick={() => void ask(onDo).then((done) => done && setOpen(false))}
          >
            {doIt}
          </Button>
        </div>
      </div>
    </Popover>
  );
}

/** Asked anew each time it opens: what is sent changes with every message. */
function usePreview(open: boolean, summaryId: SummaryId, how: 'undo' | 'roll-back') {
  const [preview, setPreview] = useState<RollBackPreview | null>(null);
  const [refused, setRefused] = useState<AppError | null>(null);
  useEffect(() => {
    setPreview(null);
    setRefused(null);
    const { sessionId, branchId } = sessionStore.getState();
    if (!open || sessionId === null || branchId === null) return;
    let wanted = true;
    request('compression.previewUndo', { sessionId, branchId, summaryId, how }).then(
      (answer) => wanted && setPreview(answer),
      (error: unknown) => wanted && setRefused(asAppError(error)),
    );
    return () => {
      wanted = false;
    };
  }, [open, summaryId, how]);
  return { preview, refused };
}

/** Whether what does not fit is compressed again by itself. */
function useAutomatic(): boolean {
  const here = useSession((state) => state.automatic === 'on');
  const everywhere = useApp((state) => state.settings.automaticCompression);
  return here && everywhere;
}

/** What shows again, what the next request would be, and what happens where that does not fit. */
function previewSentences(
  t: TFunction,
  preview: RollBackPreview,
  how: 'undo' | 'roll-back',
  automatic: boolean,
): readonly string[] {
  const { whole, older, tokensNow, tokensAfter, usable, undoes, paths } = preview;
  const said = [
    how === 'roll-back' ? t('compression.back.undoes', { count: undoes.length }) : '',
    preview.editedByUser && older > 0 ? t('compression.back.edit') : '',
    older > 0 && !preview.editedByUser ? t('compression.back.older', { count: older }) : '',
    whole > 0 ? t('compression.back.whole', { count: whole }) : '',
    tokensNow === null || tokensAfter === null
      ? ''
      : t('compression.back.tokens', { now: tokensNow, after: tokensAfter }),
    t(`compression.back.fits.${preview.fits}${automatic ? '' : 'Off'}`, { usable: usable ?? 0 }),
    paths > 1 ? t('compression.back.paths', { count: paths }) : '',
  ];
  return said.filter((sentence) => sentence !== '');
}
