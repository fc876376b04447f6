import { Trans, useTranslation } from 'react-i18next';
import type { Receipt, Summary } from '../../../shared/model/compression';
import { Button } from '../../components/button';
import { Icon } from '../../components/icon';
import { IconSuccess, IconWarning } from '../../components/icons';
import { isWordForWord, wordForWord } from './fold-words';

export interface FoldReceiptProps {
  readonly summary: Summary;
  readonly lines: number;
  readonly firstLines: number;
  readonly allShown: boolean;
  readonly anchorsShown: boolean;
  readonly onAllLines: () => void;
  readonly onAnchors: () => void;
}

/** What the check of the summary found, and the ways to see more of it. */
export function FoldReceipt({
  summary,
  lines,
  firstLines,
  allShown,
  anchorsShown,
  onAllLines,
  onAnchors,
}: FoldReceiptProps) {
  const { t } = useTranslation();
  const { receipt } = summary;
  const all = receipt ? receipt.kept + receipt.restored + receipt.dropped : 0;
  const dropped = (receipt?.dropped ?? 0) > 0;
  return (
    <>
      <div className="receipt">
        {receipt && <Icon of={dropped ? IconWarning : IconSuccess} className={dropped ? 'warn' : 'ok'} />}
        <span className="grow">
          {receipt && all > 0 && isWordForWord(summary) && wordForWord(t, receipt)}
          {receipt && all > 0 && !isWordForWord(summary) && (
            <Trans
              t={t}
              i18nKey={summary.author === 'model' ? 'compression.fold.receiptModel' : 'compression.fold.receipt'}
              values={{ count: all, kept: receipt.kept, restored: receipt.restored, dropped: receipt.dropped }}
              count={all}
              components={{ b: <b /> }}
            />
          )}
          {receipt && all === 0 && t('compression.fold.receiptNone')}
        </span>
        {lines > firstLines && (
          <Button look="quiet" aria-expanded={allShown} onClick={onAllLines}>
            {allShown
              ? t('compression.fold.firstLines', { count: firstLines })
              : t('compression.fold.allLines', { count: lines })}
          </Button>
        )}
        {all > 0 && (
          <Button look="quiet" aria-expanded={anchorsShown} onClick={onAnchors}>
            {t('compression.fold.showAnchors')}
          </Button>
        )}
      </div>
      {receipt && (receipt.struckLines > 0 || receipt.aboveTarget) && <More receipt={receipt} />}
    </>
  );
}

function More({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useTranslation();
  const words = [
    receipt.struckLines > 0 ? t('compression.fold.struck', { count: receipt.struckLines }) : '',
    receipt.aboveTarget ? t('compression.fold.aboveTarget') : '',
  ];
  return <p className="receipt-more">{words.filter(Boolean).join(' ')}</p>;
}

/** Every anchor of the covered messages, what became of it and where it stands. */
export function AnchorList({
  summary,
  receipt,
  onSource,
}: {
  readonly summary: Summary;
  readonly receipt: Receipt;
  readonly onSource: (seq: number) => void;
}) {
  const { t } = useTranslation();
  const whole = isWordForWord(summary);
  return (
    <ul className="anchors" aria-label={t('compression.fold.showAnchors')}>
      {receipt.anchors.map((anchor) => (
        <li key={`${anchor.seq}:${anchor.text}`}>
          <code>{anchor.text}</code>
          <span className={anchor.fate === 'dropped' ? 'anchor-fate is-dropped' : 'anchor-fate'}>
            {t(`compression.fold.fate.${whole && anchor.fate === 'restored' ? 'kept' : anchor.fate}`)}
          </span>
          <span className="src">
            <button
              type="button"
              aria-label={t('compression.fold.source', { seq: anchor.seq })}
              onClick={() => onSource(anchor.seq)}
            >
              {anchor.seq}
            </button>
          </span>
        </li>
      ))}
    </ul>
  );
}
