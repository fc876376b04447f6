import { useTranslation } from 'react-i18next';
import { formatPercent, formatTokens } from '../../i18n/format';
import type { Breakdown } from './breakdown';
import type { ContextBarProps } from './context-bar';
import { partColor } from './part-color';

export interface PartListProps {
  readonly all: Breakdown;
  readonly onPoint: (part: ContextBarProps['lit']) => void;
}

/** The parts in numbers: what is sent, what is kept for the answer, what is free. It adds up to the window. */
export function PartList({ all, onPoint }: PartListProps) {
  const { t } = useTranslation();
  const share = (tenths: number | null) => (tenths === null ? '' : formatPercent(tenths / 1_000));
  const pointed = (part: ContextBarProps['lit']) => ({
    onPointerEnter: () => onPoint(part),
    onPointerLeave: () => onPoint(null),
  });
  return (
    <table className="parts">
      <caption className="sr">{t('context.caption')}</caption>
      <tbody>
        {all.rows.map((row) => (
          <tr key={row.part} {...pointed(row.part)}>
            <th scope="row">
              <span className="sw" style={{ background: partColor(row.part) }} />
              {t(`context.part.${row.part}`)}
            </th>
            <td>{formatTokens(row.tokens)}</td>
            <td>{share(row.share)}</td>
          </tr>
        ))}
        <tr className="sumrow">
          <th scope="row">{t('context.sent')}</th>
          <td>{formatTokens(all.sent)}</td>
          <td>{share(all.sentShare)}</td>
        </tr>
        <tr className="rest" {...pointed('reserve')}>
          <th scope="row">
            <span className="sw is-reserve" />
            {t('context.reserve')}
          </th>
          <td>{formatTokens(all.reserve)}</td>
          <td>{share(all.reserveShare)}</td>
        </tr>
        {all.free !== null && all.over === 0 && (
          <tr className="rest" {...pointed('free')}>
            <th scope="row">
              <span className="sw is-free" />
              {t('context.free')}
            </th>
            <td>{formatTokens(all.free)}</td>
            <td>{share(all.freeShare)}</td>
          </tr>
        )}
        {all.over > 0 && (
          <tr className="rest">
            <th scope="row" className="bad">
              {t('context.over')}
            </th>
            <td>{formatTokens(all.over)}</td>
            <td />
          </tr>
        )}
      </tbody>
    </table>
  );
}
