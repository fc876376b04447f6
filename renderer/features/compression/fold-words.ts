import type { TFunction } from 'i18next';
import type { Receipt, Summary } from '../../../shared/model/compression';
import { formatClock, formatTime } from '../../i18n/format';
import { foldOver } from '../../stores/covered';

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
  if (isWordForWord(summary)) return wordForWord(t, receipt);
  return t('compression.fold.anchors', { kept: receipt.kept + receipt.restored, all });
}

/** An extract takes its lines from the originals, so there is no keeping and restoring to tell apart. */
export function isWordForWord(summary: Pick<Summary, 'author' | 'strategy'>): boolean {
  return summary.author === 'extract' || summary.strategy === 'extract';
}

/** "6 anchors, word for word"; what was dropped only where something was. */
export function wordForWord(t: TFunction, { kept, restored, dropped }: Receipt): string {
  const count = kept + restored;
  return dropped > 0
    ? t('compression.fold.extractDropped', { count, dropped })
    : t('compression.fold.extractAnchors', { count });
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

/** The button that takes a summary out: it says so where that is on several paths. */
export function takeOutWords(t: TFunction, summary: Pick<Summary, 'paths' | 'author'>): string {
  if (summary.paths > 1) return t('compression.fold.takeOutPaths', { count: summary.paths });
  return t(summary.author === 'user' ? 'compression.fold.undoEdit' : 'compression.fold.takeOut');
}

/** What the model is sent in the place of a summary that was rolled back: the messages, or the summaries before it. */
export function rolledBackWords(t: TFunction, summary: Summary, used: readonly Summary[]): string {
  const same = used.find((each) => each.coversFrom === summary.coversFrom && each.coversTo === summary.coversTo);
  if (summary.author === 'user' && same) return t('compression.fold.editTakenBack');
  let whole = 0;
  for (let seq = summary.coversFrom; seq <= summary.coversTo; seq++) if (!foldOver(used, seq)) whole += 1;
  if (whole === 0) return t('compression.fold.rolledBackOlder');
  return whole < coveredCount(summary)
    ? t('compression.fold.rolledBackPartly', { count: whole })
    : t('compression.fold.rolledBack', { count: whole });
}
