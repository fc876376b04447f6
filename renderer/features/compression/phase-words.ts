import type { TFunction } from 'i18next';
import { assertNever } from '../../../shared/exhaustive';
import type { Attempt } from '../../../shared/model/compression';

/** The phase of a running attempt in words: a title, and what it is about. */
export interface PhaseWords {
  readonly title: string;
  readonly detail: string;
}

/**
 * Words for what runs now.
 * @param again true while a part is read once more.
 */
export function phaseWords(t: TFunction, attempt: Attempt, again: boolean): PhaseWords {
  if (attempt.elsewhere) return { title: t('compression.head.elsewhere'), detail: placeElsewhere(t, attempt) };
  if (attempt.paused) return { title: t('compression.head.paused'), detail: t('compression.detail.paused') };
  const { model } = attempt;
  switch (attempt.phase) {
    case 'waiting':
      return { title: t('compression.head.waiting'), detail: t('compression.detail.waiting') };
    case 'connecting':
      return {
        title: model ? t('compression.head.connecting', { model }) : t('compression.head.connectingPlain'),
        detail: '',
      };
    case 'loading':
      return {
        title: model ? t('compression.head.loading', { model }) : t('compression.head.loadingPlain'),
        detail: '',
      };
    case 'reading':
      return { title: readingTitle(t, attempt, again), detail: readingDetail(t, attempt) };
    case 'writing':
      return {
        title: t('compression.head.writing'),
        detail:
          attempt.chunks > 1
            ? t('compression.detail.writing', { parts: attempt.chunks })
            : t('compression.detail.writingOne'),
      };
    case 'checking':
      return { title: t('compression.head.checking'), detail: t('compression.detail.checking') };
    case 'saving':
      return { title: t('compression.head.saving'), detail: t('compression.detail.saving') };
    case 'stopping':
    case 'ended':
      return { title: t('compression.head.stopping'), detail: t('compression.detail.stopping') };
    default:
      return assertNever(attempt.phase);
  }
}

/** The part that is being read, counted from 1. */
function partOf(attempt: Attempt): number {
  return Math.min(attempt.chunks, attempt.chunksDone + 1);
}

function readingTitle(t: TFunction, attempt: Attempt, again: boolean): string {
  if (attempt.chunks === 0) return t('compression.head.readingPlain');
  const place = { part: partOf(attempt), parts: attempt.chunks };
  return again ? t('compression.head.readingAgain', place) : t('compression.head.reading', place);
}

function readingDetail(t: TFunction, { reading }: Attempt): string {
  if (reading === null) return '';
  if (reading.from === reading.to) return t('compression.detail.message', { from: reading.from });
  return t('compression.detail.messages', { from: reading.from, to: reading.to });
}

function placeElsewhere(t: TFunction, attempt: Attempt): string {
  if (attempt.chunks === 0) return '';
  return t('compression.detail.at', { part: partOf(attempt), parts: attempt.chunks });
}
