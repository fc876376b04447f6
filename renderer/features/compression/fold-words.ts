import type { TFunction } from 'i18next';
import type { Summary } from '../../../shared/model/compression';
import { formatClock, formatTime } from '../../i18n/format';

/** How many messages a fold covers. */
export function coveredCount(summary: Pick<Summary, 'coversFrom' | 'coversTo'>): number {
  return summary.coversTo - summary.coversFrom + 1;
}

/** The end of the fold line: its anchors, or who wrote it where nothing was counted. */
export function aboutWords(t: TFunction, summary: Summary): string {
  const { receipt } = summary;
  if (summary.author === 'user' || receipt === null) return t(`compression.fold.by.${summary.author}`);
  const all = receipt.kept + receipt.restored + receipt.dropped;
  if (all === 0) return t('compression.fold.noAnchors');
  return t('compression.fold.anchors', { kept: receipt.kept + receipt.restored, all });
}

/** Who wrote it: "qwen3:30b, summarize, 9 parts, 14:21, took 4:08". */
export function writerWords(t: TFunction, summary: Summary): string {
  const words: string[] = [];
  if (summary.author === 'model' && summary.model) words.push(summary.model);
  else if (summary.author !== 'extract') words.push(t(`compression.fold.by.${summary.author}`));
  if (summary.strategy) words.push(t(`compression.fold.strategy.${summary.strategy}`));
  if (summary.chunks > 0) words.push(t('compression.fold.parts', { count: summary.chunks }));
  words.push(formatTime(summary.createdAt));
  if (summary.tookMs > 0) words.push(t('compression.fold.took', { clock: formatClock(summary.tookMs) }));
  return words.join(', ');
}
