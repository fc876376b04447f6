import type { TFunction } from 'i18next';
import { assertNever } from '../../../shared/exhaustive';
import type { Notice } from '../../../shared/model/notice';
import { errorSentence } from '../../i18n/error-sentence';
import type { NoticeWords } from './notice-words';

export type RecoverNotice = Extract<Notice, { readonly kind: 'recovering' | 'recover-alive' | 'recover-refused' }>;

/** The countdown of the user's Recover, and what came of it where no compression did. */
export function recoverWords(t: TFunction, notice: RecoverNotice): NoticeWords {
  const dismiss = { act: 'stop-recovering', label: t('composer.notices.do.dismiss') } as const;
  switch (notice.kind) {
    case 'recovering':
      return {
        icon: 'waits',
        tone: 'accent',
        reason: t('composer.notices.recover.watching'),
        consequence: t('composer.notices.recover.watchingThen'),
        clock: { until: notice.until, form: 'left' },
        buttons: [{ act: 'stop-recovering', label: t('composer.notices.do.stopWaiting') }],
      };
    case 'recover-alive':
      return {
        icon: 'waits',
        tone: 'accent',
        reason: t('composer.notices.recover.alive'),
        consequence: t('composer.notices.recover.aliveThen'),
        clock: null,
        buttons: [dismiss],
      };
    case 'recover-refused':
      return {
        icon: 'warning',
        tone: 'warning',
        reason: t('composer.notices.recover.refused'),
        consequence: errorSentence(t, notice),
        clock: null,
        buttons: [dismiss],
      };
    default:
      return assertNever(notice);
  }
}
