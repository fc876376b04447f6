import { useTranslation } from 'react-i18next';
import type { ContextPart, ContextUse } from '../../../shared/model/context';
import type { Breakdown } from './breakdown';
import { partColor } from './part-color';

export interface ContextBarProps {
  readonly use: ContextUse;
  readonly all: Breakdown;
  /** The part whose row is pointed at; the others are dimmed. */
  readonly lit: ContextPart | 'reserve' | 'free' | null;
}

/** Marks nearer to each other than this have their words on either side; percent of the bar. */
const NEAR = 14;

/** The window from left to right: parts in the order in which they are sent, free, reserve; above it the marks. */
export function ContextBar({ use, all, lit }: ContextBarProps) {
  const { t } = useTranslation();
  const whole = use.window ?? Math.max(1, all.sent + all.reserve);
  const percent = (tokens: number) => Math.min(100, (tokens / whole) * 100);
  const seg = (name: string, more = '') => `seg ${more} ${lit === name ? 'is-lit' : ''}`.trim();
  const near = use.softMark !== null && use.hardMark !== null && percent(use.hardMark - use.softMark) < NEAR;
  return (
    <div className={near ? 'stack is-near' : 'stack'} role="img" aria-label={t('context.bar')}>
      <div className={lit ? 'segs is-dimmed' : 'segs'}>
        {all.rows.map(
          (row) =>
            row.tokens > 0 && (
              <span
                key={row.part}
                className={seg(row.part)}
                style={{ width: `${percent(row.tokens)}%`, background: partColor(row.part) }}
              />
            ),
        )}
        <span className={seg('free', 'seg-free')} />
        <span className={seg('reserve', 'is-reserve')} style={{ width: `${percent(all.reserve)}%` }} />
      </div>
      {use.softMark !== null && <Mark at={percent(use.softMark)} word={t('context.soft')} />}
      {use.hardMark !== null && <Mark at={percent(use.hardMark)} word={t('context.hard')} hard />}
    </div>
  );
}

function Mark({ at, word, hard = false }: { readonly at: number; readonly word: string; readonly hard?: boolean }) {
  return (
    <span className={hard ? 'mk hard' : 'mk'} style={{ left: `${at}%` }}>
      <em>{word}</em>
    </span>
  );
}
