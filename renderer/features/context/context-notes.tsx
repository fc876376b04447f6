import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ContextUse } from '../../../shared/model/context';
import type { Spend } from '../../../shared/model/spend';
import { formatMoment, formatTokens } from '../../i18n/format';
import { RaiseWindow } from './raise-window';

export interface ContextNotesProps {
  readonly use: ContextUse;
  readonly peak: Spend['peak'];
}

/** Distance to the marks, the fullest request so far, and where the window's size comes from, with the way to another one. */
export function ContextNotes({ use, peak }: ContextNotesProps) {
  const { t } = useTranslation();
  const counted = [markWords(t, use), use.exact ? '' : t('context.estimate'), peakWords(t, peak)]
    .filter(Boolean)
    .join(' ');
  const trained = use.trained !== null && use.window !== null && use.trained > use.window ? use.trained : null;
  const window = [t(`context.source.${use.source}`), trained ? t('context.trained', { tokens: trained }) : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className="panel-note">
      {counted && <p>{counted}</p>}
      <p>{window}</p>
      {use.toolsChanged && <p>{t('context.toolsChanged')}</p>}
      <RaiseWindow use={use} />
    </div>
  );
}

function peakWords(t: TFunction, peak: Spend['peak']): string {
  if (peak === null) return '';
  return t('context.peak', { tokens: formatTokens(peak.tokens), time: formatMoment(peak.at, Date.now()) });
}

function markWords(t: TFunction, { total, softMark, hardMark, window }: ContextUse): string {
  if (window === null) return '';
  if (hardMark !== null && total >= hardMark) return t('context.pastHard', { tokens: total - hardMark });
  if (softMark === null) return t('context.noSoft');
  return total >= softMark
    ? t('context.pastSoft', { tokens: total - softMark })
    : t('context.toSoft', { tokens: softMark - total });
}
