import type { ContextUse } from '../../../shared/model/context';

/** Everything in percent of the served window, which is the meter's full width. */
export interface MeterScale {
  /** Fill up to the soft mark. */
  readonly fill: number;
  /** Fill past the soft mark, which is drawn as a warning. */
  readonly over: number;
  readonly soft: number | null;
  readonly hard: number | null;
  readonly reserve: number;
}

/** Places of fill, marks and reserve; null while the window is unknown, when there is no full width. */
export function meterScale(use: ContextUse): MeterScale | null {
  const { window } = use;
  if (window === null || window <= 0) return null;
  const percent = (tokens: number) => Math.min(100, Math.max(0, (tokens / window) * 100));
  const total = percent(use.total);
  const soft = use.softMark === null ? null : percent(use.softMark);
  const hard = use.hardMark === null ? null : percent(use.hardMark);
  const calm = Math.min(total, soft ?? hard ?? 100);
  return { fill: calm, over: total - calm, soft, hard, reserve: percent(use.reserve) };
}
