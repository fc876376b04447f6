import i18next, { type TFunction } from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../../../shared/errors';
import { failureKinds } from '../../../shared/model/compression';
import type { Notice } from '../../../shared/model/notice';
import type { DeferReason } from '../../../shared/model/turn';
import { startI18n } from '../../i18n/i18n';
import { branch } from '../../testing/fixture-data';
import { type NoticeAct, noticeWords } from './notice-words';

const at = new Date(2026, 2, 20, 14, 32).getTime();
let t: TFunction;
beforeAll(() => {
  startI18n();
  t = i18next.t;
});

interface Case {
  readonly notice: Notice;
  readonly says: string;
  readonly offers: readonly NoticeAct[];
}
const deferred = (why: DeferReason, canSendNow = false, hasText = false): Notice => ({
  kind: 'deferred',
  why,
  retryAt: null,
  canSendNow,
  hasText,
});

/** One entry for each kind, and for each reason of a deferral: a new one does not compile without its case. */
const deferrals: Record<DeferReason['kind'], Case> = {
  'lease-held': {
    notice: deferred({ kind: 'lease-held', holder: 'x', fits: true }, true),
    says: 'Another window is compressing. Your message is saved and goes next.',
    offers: ['send-now', 'stop'],
  },
  backoff: {
    notice: deferred({ kind: 'backoff', until: at }),
    says: 'Compression is paused until 14:32. Your message is saved and goes then.',
    offers: ['try-compression', 'stop'],
  },
  'worker-exiting': {
    notice: deferred({ kind: 'worker-exiting' }),
    says: 'The stopped compression is still ending. Your message is saved and goes next.',
    offers: ['stop'],
  },
  'model-busy': {
    notice: deferred({ kind: 'model-busy' }),
    says: 'The model is busy. Your message is saved and goes next.',
    offers: ['stop'],
  },
  'server-busy': {
    notice: deferred({ kind: 'server-busy', by: 'chat' }, true),
    says: 'The model’s server is answering another chat. Your message is saved and goes next.',
    offers: ['send-now', 'stop'],
  },
  'auto-off': {
    notice: deferred({ kind: 'auto-off' }),
    says: 'This needs compression, and automatic compression is off. Your message is saved.',
    offers: ['automatic-on-and-send', 'stop'],
  },
  'breaker-open': {
    notice: deferred({ kind: 'breaker-open' }, true),
    says: 'This needs compression, and it was switched off because it gained too little. Your message is saved.',
    offers: ['send-now', 'automatic-on-and-send', 'stop'],
  },
  'review-pending': {
    notice: deferred({ kind: 'review-pending' }, true),
    says: 'A summary waits for your review. Your message is saved.',
    offers: ['show-proposal', 'stop'],
  },
  'after-restart': {
    notice: deferred({ kind: 'after-restart' }),
    says: 'Not sent: the app was closed first. Your message is saved.',
    offers: ['send-again', 'stop'],
  },
};
const kinds: Record<Exclude<Notice['kind'], 'deferred'>, readonly Case[]> = {
  proposal: [
    {
      notice: { kind: 'proposal', branchId: branch(1) },
      says: 'A summary waits for your review. It is not used until you accept it.',
      offers: ['show-proposal'],
    },
  ],
  sendable: [
    {
      notice: { kind: 'sendable', because: 'automatic-on', hasText: false },
      says: 'Automatic compression is on again. Your message is saved and goes when you say so.',
      offers: ['send-again', 'stop'],
    },
    {
      notice: { kind: 'sendable', because: 'fits', hasText: true },
      says: 'This fits now. What was written so far is kept.',
      offers: ['continue'],
    },
  ],
  'review-rejected': [
    {
      notice: { kind: 'review-rejected', hasText: false },
      says: 'The summary was rejected, and this does not fit without one. Your message is saved.',
      offers: ['send-again', 'review-off-and-send', 'stop'],
    },
  ],
  exhausted: [
    {
      notice: { kind: 'exhausted', numbers: { needTokens: 7_410, windowTokens: 8_192, usableTokens: 6_144 } },
      says: 'This can’t be sent. What has to stay is <n>7,410 tokens</n>, the window of 8,192 leaves <n>6,144</n> for it. Compressing can’t help.',
      offers: ['send-again'], // its ways on are a row of their own
    },
  ],
  'turn-failed': [
    {
      notice: { kind: 'turn-failed', code: 'no-model', fields: {}, hasText: false },
      says: 'The message was not answered. No model is chosen for this chat. Choose one beside the Send button.',
      offers: ['send-again'],
    },
    {
      notice: { kind: 'turn-failed', code: 'connection-lost', fields: {}, hasText: true },
      says: 'The answer broke off; what came is kept. The connection to the server broke off, or the server ended. Check that it still runs, then go on.',
      offers: ['continue'],
    },
  ],
  'turn-interrupted': [
    {
      notice: { kind: 'turn-interrupted', hasText: true },
      says: 'The answer was interrupted. What was written so far is kept.',
      offers: ['continue'],
    },
    {
      notice: { kind: 'turn-interrupted', hasText: false },
      says: 'The app was closed before the answer came. Your message is saved.',
      offers: ['send-again'],
    },
  ],
  'waiting-messages': [
    {
      notice: { kind: 'waiting-messages', count: 3 },
      says: '3 messages wait. Nothing goes before you say so.',
      offers: ['send-again'],
    },
  ],
  'answered-elsewhere': [
    {
      notice: { kind: 'answered-elsewhere' },
      says: 'Another window is answering this chat. What you write here waits and goes after it; should that window hang, within a minute.',
      offers: [],
    },
  ],
  recovering: [
    {
      notice: { kind: 'recovering', until: at },
      says: 'Watching the other window. Without a sign of life, this one takes over.',
      offers: ['stop-recovering'],
    },
  ],
  'recover-alive': [
    {
      notice: { kind: 'recover-alive' },
      says: 'The other window is at work on it; nothing was changed.',
      offers: ['stop-recovering'],
    },
  ],
  'recover-refused': [
    {
      notice: { kind: 'recover-refused', code: 'no-model', fields: {} },
      says: 'The other window let go, but this one could not compress. No model is chosen for this chat. Choose one beside the Send button.',
      offers: ['stop-recovering'],
    },
  ],
  backoff: [
    {
      notice: { kind: 'backoff', strategy: 'summarize', failure: 'stalled', until: at, times: 2 },
      says: 'Compression paused until 14:32. The model stalled twice.',
      offers: ['try-compression', 'use-extract', 'automatic-off'],
    },
    {
      notice: { kind: 'backoff', strategy: 'summarize', failure: 'died', until: at, times: 3 },
      says: 'Compression paused until 14:32. The model’s process died 3 times.',
      offers: ['try-compression', 'use-extract', 'automatic-off'],
    },
    {
      notice: { kind: 'backoff', strategy: 'summarize', failure: 'nothing-to-gain', until: null, times: 1 },
      says: 'Compression paused. A summary would not be smaller; it is tried when the chat has grown by a tenth.',
      offers: ['try-compression', 'use-extract', 'automatic-off'],
    },
  ],
  'automatic-off': [
    {
      notice: { kind: 'automatic-off', by: 'breaker', trip: { kind: 'small-gains', gains: [0.06, 0.04] } },
      says: 'Automatic compression is off in this chat: the last two gained 6 % and 4 %.',
      offers: ['automatic-on'],
    },
    {
      notice: { kind: 'automatic-off', by: 'breaker', trip: { kind: 'too-often', times: 6, turns: [1, 0, 1] } },
      says: 'Automatic compression is off in this chat: it ran 6 times within the hour and bought next to nothing.',
      offers: ['automatic-on'],
    },
    {
      notice: { kind: 'automatic-off', by: 'user' },
      says: 'Automatic compression is off in this chat. A message that does not fit will wait.',
      offers: ['automatic-on'],
    },
    {
      notice: { kind: 'automatic-off', by: 'everywhere' },
      says: 'Automatic compression is off everywhere. A message that does not fit will wait.',
      offers: ['automatic-on-everywhere'],
    },
  ],
  'window-unknown': [
    {
      notice: { kind: 'window-unknown' },
      says: 'The server does not say how large its window is. Messages are sent whole until it is known.',
      offers: ['enter-window', 'choose-model'],
    },
  ],
  'provider-away': [
    {
      notice: { kind: 'provider-away', name: 'Ollama', nextTryAt: at },
      says: 'Ollama isn’t answering. Your message is saved.',
      offers: ['test-provider', 'choose-model'],
    },
  ],
  'no-model': [
    {
      notice: { kind: 'no-model' },
      says: 'No model is chosen. Your message is saved.',
      offers: ['choose-model'],
    },
  ],
  'window-learned': [
    {
      notice: { kind: 'window-learned', id: 1, served: 4_096, trained: 131_072 },
      says: 'This server cuts at 4,096 tokens; the model could take 131,072.',
      offers: ['raise-window', 'dismiss'],
    },
    {
      notice: { kind: 'window-learned', id: 1, served: 4_096, trained: null },
      says: 'This server cuts at 4,096 tokens; the meter counts with that now.',
      offers: ['raise-window', 'dismiss'],
    },
  ],
  'answer-cut': [
    {
      notice: { kind: 'answer-cut', id: 2, limit: 4_096 },
      says: 'The answer stopped at its limit of 4,096 tokens.',
      offers: ['continue', 'dismiss'],
    },
  ],
};

describe('noticeWords', () => {
  it.each([...Object.values(deferrals), ...Object.values(kinds).flat()])('$says', ({ notice, says, offers }) => {
    const words = noticeWords(t, notice, true);
    expect([words.reason, words.consequence].filter(Boolean).join(' ')).toBe(says);
    expect(words.buttons.map((button) => button.act)).toEqual(offers);
    expect(words.buttons.length).toBeLessThanOrEqual(3);
  });

  it('says the number on the button that sends the waiting messages', () => {
    const label = (count: number) => noticeWords(t, { kind: 'waiting-messages', count }, true).buttons[0]?.label;
    expect(label(1)).toBe('Send 1 waiting message');
    expect(label(3)).toBe('Send 3 waiting messages');
  });

  it('counts down to what ends the cause', () => {
    expect(noticeWords(t, { kind: 'provider-away', name: 'x', nextTryAt: at }, true).clock).toEqual({
      until: at,
      form: 'nextTry',
    });
    expect(noticeWords(t, { kind: 'recovering', until: at }, false).clock).toEqual({ until: at, form: 'left' });
    expect(noticeWords(t, deferred({ kind: 'backoff', until: at }), true).clock).toEqual({ until: at, form: 'left' });
  });

  it.each([
    [{ kind: 'worker-exiting' }, 'What was written so far is kept, the rest comes next.', 'Cancel'],
    [{ kind: 'backoff', until: at }, 'What was written so far is kept, the rest comes then.', 'Try now'],
    [{ kind: 'auto-off' }, 'What was written so far is kept.', 'Turn on and send'],
    [{ kind: 'after-restart' }, 'What was written so far is kept.', 'Continue'],
  ] as const)('does not speak of a message where the rest of an answer waits: %o', (why, says, first) => {
    const words = noticeWords(t, deferred(why, false, true), true);
    expect([words.consequence, words.buttons[0]?.label]).toEqual([says, first]);
  });

  it('does not say that a message is saved where there is none', () => {
    const away = noticeWords(t, { kind: 'provider-away', name: 'Ollama', nextTryAt: null }, false);
    expect(away.consequence).toBe('Messages are saved and wait.');
  });

  it('has a sentence for each failure and each error', () => {
    const sentences = [
      ...failureKinds.map(
        (failure) => ({ kind: 'backoff', strategy: 'summarize', failure, until: at, times: 1 }) as const,
      ),
      ...errorCodes.map((code) => ({ kind: 'turn-failed', code, fields: {}, hasText: false }) as const),
    ].map((notice) => noticeWords(t, notice, true).consequence);
    for (const sentence of sentences) expect(sentence).toMatch(/^\S.*\.$/);
  });
});
