import type { TFunction } from 'i18next';
import { assertNever } from '../../../shared/exhaustive';
import type { AttemptRecord } from '../../../shared/model/session';

export interface OutcomeWords {
  readonly text: string;
  readonly tone: 'ok' | 'warn' | 't3' | 'acc';
}

/** What a past attempt was: "hard mark, summarize". */
export function attemptWords(t: TFunction, { trigger, strategy }: AttemptRecord): string {
  const why = t(`context.trigger.${trigger}`);
  return strategy === null ? why : t('context.attempt', { trigger: why, strategy: t(`context.strategy.${strategy}`) });
}

/** What came of it: the gain in tokens, or one or two words. */
export function outcomeWords(t: TFunction, record: AttemptRecord): OutcomeWords {
  const { outcome, tokensBefore: before, tokensAfter: after } = record;
  if (outcome === null) return { text: t('context.outcome.running'), tone: 'acc' };
  switch (outcome.kind) {
    case 'committed':
      return {
        text:
          before === null || after === null
            ? t('context.outcome.committed')
            : t('context.outcome.gain', { tokens: before - after }),
        tone: 'ok',
      };
    case 'proposed':
      return { text: t('context.outcome.proposed'), tone: 'acc' };
    case 'nothing-to-do':
      return { text: t(`context.outcome.${outcome.reason}`), tone: 't3' };
    case 'deferred':
      return { text: t(`context.outcome.${outcome.why.kind}`), tone: 't3' };
    case 'cancelled':
      return { text: t(`context.outcome.cancelled.${outcome.by}`), tone: 't3' };
    case 'superseded':
      return { text: t('context.outcome.superseded'), tone: 't3' };
    case 'failed':
      return { text: t(`context.outcome.failed.${outcome.failure}`), tone: 'warn' };
    default:
      return assertNever(outcome);
  }
}
