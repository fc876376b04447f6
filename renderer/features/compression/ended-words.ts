import type { TFunction } from 'i18next';
import { assertNever } from '../../../shared/exhaustive';
import type { Attempt, AttemptOutcome, FailureKind } from '../../../shared/model/compression';
import { formatTime } from '../../i18n/format';

/** How an ended attempt is told: what came of it, in words, and how it looks. */
export interface EndedWords {
  readonly look: 'success' | 'waits' | 'warning' | 'calm';
  readonly title: string;
  readonly detail: string;
}

/** Failures for which the part that was being read says more than the kind alone. */
const inParts: ReadonlySet<FailureKind> = new Set(['stalled', 'ceiling-exhausted', 'stall-interrupted', 'died']);

const nothingNames = {
  'nothing-covered': 'nothingCovered',
  'inside-summary': 'insideSummary',
  'nothing-to-gain': 'nothingToGain',
} as const;

/** Title and detail of an outcome. `waits` = a proposal still waits for a review. */
export function endedWords(t: TFunction, attempt: Attempt, outcome: AttemptOutcome, waits: boolean): EndedWords {
  switch (outcome.kind) {
    case 'committed':
      return { look: 'success', title: t('compression.ended.committed'), detail: gainWords(t, attempt) };
    case 'proposed':
      return waits
        ? { look: 'success', title: t('compression.ended.proposed'), detail: t('compression.ended.proposedDetail') }
        : { look: 'calm', title: t('compression.ended.rejected'), detail: t('compression.ended.rejectedDetail') };
    case 'nothing-to-do': {
      const name = nothingNames[outcome.reason];
      return { look: 'calm', title: t(`compression.ended.${name}`), detail: t(`compression.ended.${name}Detail`) };
    }
    case 'deferred': {
      const time = outcome.why.kind === 'backoff' ? formatTime(outcome.why.until) : '';
      return {
        look: 'waits',
        title: t(`compression.ended.deferred.${outcome.why.kind}`, { time }),
        detail: t(`compression.ended.deferred.${outcome.why.kind}Detail`),
      };
    }
    case 'cancelled':
      return {
        look: 'calm',
        title: t(`compression.ended.cancelled.${outcome.by}`),
        detail: t('compression.ended.cancelled.detail'),
      };
    case 'superseded':
      return {
        look: 'calm',
        title: t(`compression.ended.superseded.${outcome.by}`),
        detail: t('compression.ended.superseded.detail'),
      };
    case 'failed':
      return {
        look: 'warning',
        title: t(`compression.ended.failed.${outcome.failure}`),
        detail: failureDetail(t, attempt, outcome.failure),
      };
    default:
      return assertNever(outcome);
  }
}

/** "41,300 → 1,120 tokens"; empty where nothing was counted. */
export function gainWords(t: TFunction, attempt: Pick<Attempt, 'tokensBefore' | 'tokensAfter'>): string {
  const { tokensBefore: before, tokensAfter: after } = attempt;
  return before === null || after === null ? '' : t('compression.ended.gain', { before, after });
}

function failureDetail(t: TFunction, attempt: Attempt, failure: FailureKind): string {
  const what = t(`compression.ended.failedDetail.${failure}`);
  const reading = attempt.chunks > 1 && attempt.chunksDone < attempt.chunks;
  if (!inParts.has(failure) || !reading) return what;
  return t('compression.ended.inPart', { what, part: attempt.chunksDone + 1 });
}

/**
 * What a failed or deferred attempt left behind, and when it goes on: never a guess, only what is stored. `watched` = this
 * window watches the one that it waits for.
 */
export function aftermathWords(t: TFunction, attempt: Attempt, outcome: AttemptOutcome, watched: boolean): string {
  if (outcome.kind === 'deferred') {
    if (watched) return t('compression.ended.deferred.watched');
    return t(attempt.need === 'manual' ? 'compression.ended.deferred.yours' : 'compression.ended.deferred.next');
  }
  if (outcome.kind !== 'failed') return '';
  const time = attempt.pausedUntil === null ? null : formatTime(attempt.pausedUntil);
  const words: string[] = [t('compression.ended.unchanged')];
  const kept = attempt.chunksDone;
  if (kept === 1) words.push(time ? t('compression.ended.keptOneAt', { time }) : t('compression.ended.keptOne'));
  else if (kept > 1) {
    words.push(
      time
        ? t('compression.ended.keptPartsAt', { count: kept, time })
        : t('compression.ended.keptParts', { count: kept }),
    );
  } else if (time) words.push(t('compression.ended.nextAt', { time }));
  return words.join(' ');
}
