import type { TFunction } from 'i18next';
import { assertNever } from '../../../shared/exhaustive';
import type { BreakerTrip } from '../../../shared/model/compression';
import type { Notice } from '../../../shared/model/notice';
import { errorSentence } from '../../i18n/error-sentence';
import { formatTime } from '../../i18n/format';
import { recoverWords } from './recover-words';

/** Everything a notice can offer; what each does is in notice-acts. */
export type NoticeAct =
  | 'send-now'
  | 'send-again'
  | 'stop'
  | 'try-compression'
  | 'use-extract'
  | 'automatic-off'
  | 'automatic-on'
  | 'automatic-on-and-send'
  | 'automatic-on-everywhere'
  | 'continue'
  | 'choose-model'
  | 'raise-window'
  | 'enter-window'
  | 'shorter-tail'
  | 'carry-on'
  | 'test-provider'
  | 'show-proposal'
  | 'review-off-and-send'
  | 'stop-recovering'
  | 'dismiss';

export interface NoticeButton {
  readonly act: NoticeAct;
  readonly label: string;
}

/** One notice in words: reason, consequence, the live clock, and at most three ways on. */
export interface NoticeWords {
  readonly icon: 'waits' | 'pause' | 'stop' | 'warning' | 'offline' | 'cut' | 'fold' | 'memory' | 'model';
  readonly tone: 'accent' | 'warning' | 'danger' | 'calm';
  readonly reason: string;
  readonly consequence: string;
  /** Wall-clock milliseconds that the clock counts down to, and the sentence around it. */
  readonly clock: { readonly until: number; readonly form: 'left' | 'nextTry' } | null;
  readonly buttons: readonly NoticeButton[];
}

/**
 * What a notice says and offers. Each kind is listed, so that a new one does not compile without its words.
 * @param waits true where a message of the user's waits for the cause to end, so that it must be said to be saved.
 */
export function noticeWords(t: TFunction, notice: Notice, waits: boolean): NoticeWords {
  const saved = t('composer.notices.saved');
  const kept = t('composer.notices.kept');
  switch (notice.kind) {
    case 'deferred':
      return deferredWords(t, notice);
    case 'exhausted':
      return {
        icon: 'stop',
        tone: 'danger',
        reason: t('composer.notices.exhausted.reason'),
        consequence: t('composer.notices.exhausted.consequence', {
          need: notice.numbers.needTokens,
          window: notice.numbers.windowTokens,
          leaves: notice.numbers.usableTokens ?? notice.numbers.windowTokens,
        }),
        clock: null,
        buttons: [button(t, 'send-again', 'sendAgain')],
      };
    case 'turn-failed':
      return {
        icon: 'warning',
        tone: 'warning',
        reason: notice.hasText ? t('composer.notices.failed.text') : t('composer.notices.failed.reason'),
        consequence: errorSentence(t, notice),
        clock: null,
        buttons: [notice.hasText ? button(t, 'continue', 'continue') : button(t, 'send-again', 'sendAgain')],
      };
    case 'turn-interrupted':
      return notice.hasText
        ? {
            icon: 'cut',
            tone: 'warning',
            reason: t('composer.notices.interrupted.text'),
            consequence: kept,
            clock: null,
            buttons: [button(t, 'continue', 'continue')],
          }
        : {
            icon: 'cut',
            tone: 'warning',
            reason: t('composer.notices.interrupted.none'),
            consequence: saved,
            clock: null,
            buttons: [button(t, 'send-again', 'sendAgain')],
          };
    case 'waiting-messages':
      return {
        icon: 'waits',
        tone: 'accent',
        reason: t('composer.notices.waiting.reason', { count: notice.count }),
        consequence: t('composer.notices.waiting.consequence'),
        clock: null,
        buttons: [{ act: 'send-again', label: t('composer.notices.do.sendWaiting', { count: notice.count }) }],
      };
    case 'answered-elsewhere':
      return {
        icon: 'waits',
        tone: 'accent',
        reason: t('composer.notices.elsewhere.reason'),
        consequence: t('composer.notices.elsewhere.consequence'),
        clock: null,
        buttons: [],
      };
    case 'proposal':
      return {
        icon: 'fold',
        tone: 'accent',
        reason: t('composer.notices.proposal.reason'),
        consequence: t('composer.notices.proposal.consequence'),
        clock: null,
        buttons: [button(t, 'show-proposal', 'show')],
      };
    case 'sendable':
      return {
        icon: 'waits',
        tone: 'accent',
        reason: t(`composer.notices.sendable.${notice.because}`),
        consequence: notice.hasText ? kept : t('composer.notices.sendable.saved'),
        clock: null,
        buttons:
          notice.because === 'fits' // its turn has ended: there is nothing to cancel
            ? [notice.hasText ? button(t, 'continue', 'continue') : button(t, 'send-again', 'sendAgain')]
            : [button(t, 'send-again', notice.hasText ? 'continue' : 'send'), button(t, 'stop', 'cancel')],
      };
    case 'review-rejected':
      return {
        icon: 'waits',
        tone: 'accent',
        reason: t('composer.notices.rejected'),
        consequence: notice.hasText ? kept : saved,
        clock: null,
        buttons: [
          button(t, 'send-again', 'compressAgain'),
          button(t, 'review-off-and-send', 'withoutReview'),
          button(t, 'stop', 'cancel'),
        ],
      };
    case 'recovering':
    case 'recover-alive':
    case 'recover-refused':
      return recoverWords(t, notice);
    case 'backoff':
      return backoffWords(t, notice);
    case 'automatic-off':
      return automaticWords(t, notice);
    case 'window-unknown':
      return {
        icon: 'memory',
        tone: 'calm',
        reason: t('composer.notices.windowUnknown.reason'),
        consequence: t('composer.notices.windowUnknown.consequence'),
        clock: null,
        buttons: [button(t, 'enter-window', 'enterWindow'), button(t, 'choose-model', 'otherModel')],
      };
    case 'provider-away':
      return {
        icon: 'offline',
        tone: 'warning',
        reason: t('composer.notices.away.reason', { name: notice.name }),
        consequence: waits ? saved : t('composer.notices.willWait'),
        clock: notice.nextTryAt === null ? null : { until: notice.nextTryAt, form: 'nextTry' },
        buttons: [button(t, 'test-provider', 'tryNow'), button(t, 'choose-model', 'otherModel')],
      };
    case 'no-model':
      return {
        icon: 'model',
        tone: 'warning',
        reason: t('composer.notices.noModel.reason'),
        consequence: waits ? saved : t('composer.notices.willWait'),
        clock: null,
        buttons: [button(t, 'choose-model', 'chooseModel')],
      };
    case 'window-learned':
      return {
        icon: 'memory',
        tone: 'warning',
        reason: t('composer.notices.learned.reason', { served: notice.served }),
        consequence:
          notice.trained === null
            ? t('composer.notices.learned.known')
            : t('composer.notices.learned.could', { trained: notice.trained }),
        clock: null,
        buttons: [button(t, 'raise-window', 'raiseWindow'), button(t, 'dismiss', 'keep')],
      };
    case 'answer-cut':
      return {
        icon: 'cut',
        tone: 'calm',
        reason: t('composer.notices.cut.reason', { limit: notice.limit }),
        consequence: '',
        clock: null,
        buttons: [button(t, 'continue', 'continue'), button(t, 'dismiss', 'dismiss')],
      };
    default:
      return assertNever(notice);
  }
}

type ButtonWord =
  | 'sendNow'
  | 'sendAgain'
  | 'send'
  | 'cancel'
  | 'tryNow'
  | 'useExtract'
  | 'turnOff'
  | 'turnOn'
  | 'turnOnAndSend'
  | 'continue'
  | 'otherModel'
  | 'chooseModel'
  | 'raiseWindow'
  | 'enterWindow'
  | 'keep'
  | 'dismiss'
  | 'show'
  | 'compressAgain'
  | 'withoutReview';

function button(t: TFunction, act: NoticeAct, word: ButtonWord): NoticeButton {
  return { act, label: t(`composer.notices.do.${word}`) };
}

type Deferred = Extract<Notice, { readonly kind: 'deferred' }>;

function deferredWords(t: TFunction, notice: Deferred): NoticeWords {
  const { why, hasText } = notice;
  const saved = t(hasText ? 'composer.notices.kept' : 'composer.notices.saved');
  const sendNow = notice.canSendNow ? [button(t, 'send-now', 'sendNow')] : [];
  const cancel = button(t, 'stop', 'cancel');
  const clock = notice.retryAt === null ? null : ({ until: notice.retryAt, form: 'left' } as const);
  const common = { icon: 'waits', tone: 'accent', clock } as const;
  const reason = deferReason(t, notice);
  switch (why.kind) {
    case 'lease-held':
    case 'worker-exiting':
    case 'model-busy':
    case 'server-busy':
      return {
        ...common,
        reason,
        consequence: t(hasText ? 'composer.notices.keptNext' : 'composer.notices.savedNext'),
        buttons: [...sendNow, cancel],
      };
    case 'backoff':
      return {
        ...common,
        clock: { until: why.until, form: 'left' },
        reason,
        consequence: t(hasText ? 'composer.notices.keptThen' : 'composer.notices.savedThen'),
        buttons: [...sendNow, button(t, 'try-compression', 'tryNow'), cancel],
      };
    case 'auto-off':
    case 'breaker-open':
      return {
        ...common,
        reason,
        consequence: saved,
        buttons: [...sendNow, button(t, 'automatic-on-and-send', 'turnOnAndSend'), cancel],
      };
    case 'review-pending':
      return {
        ...common,
        reason,
        consequence: saved,
        buttons: [button(t, 'show-proposal', 'show'), cancel],
      };
    case 'after-restart':
      return {
        ...common,
        reason,
        consequence: saved,
        buttons: [button(t, 'send-again', hasText ? 'continue' : 'send'), cancel],
      };
    default:
      return assertNever(why);
  }
}

function deferReason(t: TFunction, { why, hasText }: Deferred): string {
  switch (why.kind) {
    case 'lease-held':
      return t('composer.notices.deferred.leaseHeld');
    case 'backoff':
      return t('composer.notices.deferred.backoff', { time: formatTime(why.until) });
    case 'worker-exiting':
      return t('composer.notices.deferred.workerExiting');
    case 'model-busy':
      return t('composer.notices.deferred.modelBusy');
    case 'server-busy':
      return t(why.by === 'chat' ? 'composer.notices.deferred.serverBusy' : 'composer.notices.deferred.serverWaits');
    case 'auto-off':
      return t('composer.notices.deferred.autoOff');
    case 'breaker-open':
      return t('composer.notices.deferred.breakerOpen');
    case 'review-pending':
      return t('composer.notices.deferred.reviewPending');
    case 'after-restart':
      return t(hasText ? 'composer.notices.deferred.afterRestartKept' : 'composer.notices.deferred.afterRestart');
    default:
      return assertNever(why);
  }
}

function backoffWords(t: TFunction, notice: Extract<Notice, { readonly kind: 'backoff' }>): NoticeWords {
  return {
    icon: 'pause',
    tone: 'warning',
    reason:
      notice.until === null
        ? t('composer.notices.backoff.growth')
        : t('composer.notices.backoff.until', { time: formatTime(notice.until) }),
    consequence: backoffCause(t, notice.failure, notice.times),
    clock: notice.until === null ? null : { until: notice.until, form: 'left' },
    buttons: [
      button(t, 'try-compression', 'tryNow'),
      button(t, 'use-extract', 'useExtract'),
      button(t, 'automatic-off', 'turnOff'),
    ],
  };
}

function backoffCause(t: TFunction, failure: Extract<Notice, { kind: 'backoff' }>['failure'], times: number): string {
  if (failure === 'nothing-to-gain') return t('composer.notices.backoff.nothingToGain');
  const what = t(`composer.notices.backoff.what.${failure}`);
  if (times <= 1) return t('composer.notices.backoff.once', { what });
  if (times === 2) return t('composer.notices.backoff.twice', { what });
  return t('composer.notices.backoff.times', { what, count: times });
}

function automaticWords(t: TFunction, notice: Extract<Notice, { readonly kind: 'automatic-off' }>): NoticeWords {
  const common = { icon: 'fold', tone: 'calm', clock: null } as const;
  switch (notice.by) {
    case 'user':
      return {
        ...common,
        reason: t('composer.notices.automatic.user'),
        consequence: t('composer.notices.automatic.userThen'),
        buttons: [button(t, 'automatic-on', 'turnOn')],
      };
    case 'everywhere':
      return {
        ...common,
        reason: t('composer.notices.automatic.everywhere'),
        consequence: t('composer.notices.automatic.userThen'),
        buttons: [button(t, 'automatic-on-everywhere', 'turnOn')],
      };
    case 'breaker':
      return {
        ...common,
        reason: t('composer.notices.automatic.breaker'),
        consequence: tripWords(t, notice.trip),
        buttons: [button(t, 'automatic-on', 'turnOn')],
      };
    default:
      return assertNever(notice);
  }
}

/** Gains are shares of 0 to 1, the newest last: "the last two gained 6 % and 4 %." */
function tripWords(t: TFunction, trip: BreakerTrip | null): string {
  switch (trip?.kind) {
    case undefined:
      return t('composer.notices.automatic.noGains');
    case 'small-gains': {
      const percents = trip.gains.map((gain) =>
        t('composer.notices.automatic.percent', { value: Math.round(gain * 100) }),
      );
      const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(percents);
      return t('composer.notices.automatic.gainsTwo', { list });
    }
    case 'too-often':
      return t('composer.notices.automatic.tooOften', { count: trip.times });
    default:
      return assertNever(trip);
  }
}
