import { describe, expect, test } from 'vitest';
import { AnchorBook } from './anchors';
import { placeAnchors } from './carriers';
import { Corrections, namedAsOld } from './newer-wins';
import { readMessage, type SourceMessage } from './read-message';
import { type Sentence, scan } from './scan';

/** The anchors that are left of what a user said, one message each. */
function keptOf(...texts: string[]): string[] {
  const messages = texts.map((text, i): SourceMessage => ({ seq: i + 1, role: 'user', text }));
  const book = new AnchorBook({ from: 1, to: messages.length });
  for (const message of messages) book.add(readMessage(message));
  const corrections = new Corrections(book.corrections());
  return placeAnchors(book.ranked(), (seq) => messages[seq - 1] ?? null, corrections).map((anchor) => anchor.text);
}

describe('the newer fact holds', () => {
  test.each<[string, string, string, string[], string[]]>([
    [
      'a time',
      'The maintenance window is Sunday 02:00.',
      'Actually the maintenance window is Sunday 03:00.',
      ['02:00'],
      ['03:00', 'Sunday'],
    ],
    ['named as old', 'The review takes 3 days.', 'No, the review takes 5 days, not 3 days.', ['3 days'], ['5 days']],
    [
      'instead of',
      'We write to /srv/old/app.log for now.',
      'Correction: we write to /srv/new/app.log instead of /srv/old/app.log.',
      ['/srv/old/app.log'],
      ['/srv/new/app.log'],
    ],
    [
      'from … to',
      'The deadline is 3 April.',
      'The deadline has moved from 3 April to 9 April.',
      ['3 April'],
      ['9 April'],
    ],
    [
      'a host',
      'The orders database runs on db-orders-01.',
      'Sorry, the orders database runs on db-orders-02.',
      ['db-orders-01'],
      ['db-orders-02'],
    ],
    [
      'German',
      'Die Frist für den Bericht ist der 12.03.2026.',
      'Nein, die Frist für den Bericht ist der 19.03.2026.',
      ['12.03.2026'],
      ['19.03.2026'],
    ],
    [
      'nicht … sondern',
      'Das Budget beträgt 3.000 €.',
      'Das Budget beträgt nicht 3.000 €, sondern 4.500 €.',
      ['3.000 €'],
      ['4.500 €'],
    ],
    [
      'von … auf',
      'Das Limit liegt bei 20 Minuten.',
      'Das Limit wurde von 20 Minuten auf 45 Minuten geändert.',
      ['20 Minuten'],
      ['45 Minuten'],
    ],
    ['Chinese', '项目的截止日期是3月12日。', '更正：项目的截止日期是3月19日。', ['3月12日'], ['3月19日']],
    ['从…改为', '服务端口是8080端口，请记录。', '服务端口从8080改为9090。', ['8080'], ['9090']],
  ])('%s', (_name, older, newer, gone, held) => {
    const kept = keptOf(older, newer);
    for (const text of gone) expect(kept).not.toContain(text);
    for (const text of held) expect(kept.some((one) => one.includes(text))).toBe(true);
    expect(kept.some((one) => one === newer)).toBe(true);
  });

  test('an answer that repeats the change does not bring the old value back', () => {
    const kept = keptOf(
      'The review takes 3 days.',
      'No, the review takes 5 days, not 3 days.',
      'Fine, so the review takes 5 days, not 3 days.',
    );
    expect(kept).not.toContain('3 days');
  });

  test('of two corrections of one fact the newest holds', () => {
    const kept = keptOf(
      'The maintenance window is Sunday 02:00.',
      'Actually the maintenance window is Sunday 03:00.',
      'No, the maintenance window is Sunday 04:30.',
    );
    expect(kept).not.toContain('03:00');
    expect(kept).not.toContain('Actually the maintenance window is Sunday 03:00.');
    expect(kept).toContain('No, the maintenance window is Sunday 04:30.');
  });

  test.each([
    [
      'another subject',
      'The garden party is on Sunday 02:00.',
      'Actually the maintenance window is Sunday 03:00.',
      '02:00',
    ],
    ['another kind of value', 'The review costs 300 EUR.', 'Actually the review takes 5 days.', '300 EUR'],
    [
      'another kind of value of the same subject',
      'The yearly review of the report costs 300 EUR.',
      'Actually the yearly review of the report takes 5 days.',
      '300 EUR',
    ],
    [
      'the same value elsewhere',
      'The trip to Rome lasts 3 days.',
      'No, the review takes 5 days, not 3 days.',
      '3 days',
    ],
    [
      'a fact that is said later',
      'No, the review takes 5 days, not 3 days.',
      'The vote on the review takes 3 days.',
      '3 days',
    ],
  ])('%s is left alone', (_name, one, other, text) => {
    expect(keptOf(one, other)).toContain(text);
  });
});

const sentenceOf = (text: string): Sentence => {
  const [first, second] = scan(text);
  if (!first || second) throw new Error('not one sentence');
  return first;
};
/** What a correction of message 2 makes invalid in a sentence of message `seq`. */
const replaced = (older: string, newer: string, seq = 1) => [
  ...new Corrections([{ seq: 2, sentence: sentenceOf(newer) }]).replacedIn(sentenceOf(older), seq),
];

describe('a value of the same shape on the same subject is replaced', () => {
  test.each<[string, string, string, string[]]>([
    ['a number', 'The review of drafts takes 3 days.', 'Actually the review of drafts takes 5 days.', ['3 days']],
    [
      'a number of more digits',
      'The review of drafts costs 1,200 EUR.',
      'Actually the review of drafts costs 900.50 EUR.',
      ['1,200 EUR'],
    ],
    ['one and many', 'The writer lease lasts 1 second.', 'Actually the writer lease lasts 30 seconds.', ['1 second']],
    [
      'a path',
      'The service log goes to /srv/old/a.log.',
      'Actually the service log goes to /var/log/b.log.',
      ['/srv/old/a.log'],
    ],
    [
      'a day of another month',
      'The launch party is on 3 April.',
      'Actually the launch party is on 9 May.',
      ['3 April'],
    ],
    ['a weekday', 'The launch party is on Sunday.', 'Actually the launch party is on Monday.', ['Sunday']],
    ['a time', 'The launch party starts at 2 pm.', 'Actually the launch party starts at 15:00.', ['2 pm']],
    ['a German time', 'Die Auslieferungen beginnen um 14 Uhr.', 'Nein, die Auslieferung beginnt um 9:30.', ['14 Uhr']],
    ['a Chinese time', '项目会议开始时间是下午3点。', '更正：项目会议开始时间是16:30。', ['下午3点']],
    [
      'the day, while the weekday beside it may still hold',
      'The launch party is on Sunday, 5 April.',
      'Actually the launch party is on 12 April.',
      ['5 April'],
    ],
    [
      'in Chinese, however the sentence begins',
      '项目的截止日期是3月12日。',
      '不对，截止日期应该是3月19日。',
      ['3月12日'],
    ],
    ['where half of a correction is on it', '数据库约3小时。', '更正：数据库5小时备份完。', ['3小时']],
    [
      'and not what both say',
      'The backup window is Sunday 02:00.',
      'Actually the backup window is Sunday 03:00.',
      ['02:00'],
    ],
  ])('%s', (_name, older, newer, gone) => {
    expect(replaced(older, newer)).toEqual(gone);
  });
});

describe('nothing is replaced', () => {
  test.each<[string, string, string]>([
    [
      'by a number of another unit',
      'The weekly review of drafts costs 8 EUR.',
      'Actually the weekly review of drafts takes 5 days.',
    ],
    ['for a day by a time', 'The launch party is on 3 April.', 'Actually the launch party starts at 15:00.'],
    [
      'for a path by an address',
      'The service log goes to /srv/old/a.log.',
      'Actually the service log goes to https://logs.example.com/a.',
    ],
    ['where one word of two is shared', 'The trip takes 3 days.', 'Actually the review takes 5 days.'],
    [
      'where less than half of the correction is on it',
      'The review takes 3 days.',
      'Actually the review takes every careful reader of contracts about 5 days.',
    ],
    ['by a correction without a subject', 'That should have been 3 days.', 'Actually that should have been 5 days.'],
    ['by a Chinese correction without a subject', '我们现在应该是3月12日。', '更正：现在应该是3月19日。'],
    [
      'by a correction that names something else as old',
      'The review of drafts takes 10 days.',
      'No, the review of drafts takes 5 days, not 3 days.',
    ],
    ['by the very sentence', 'The review takes 5 days, not 3 days.', 'The review takes 5 days, not 3 days.'],
  ])('%s', (_name, older, newer) => {
    expect(replaced(older, newer)).toEqual([]);
  });

  test('beside the correction in the same message: what it left standing was meant', () => {
    const naming = 'No, the review of drafts takes 5 days, not 3 days.';
    expect(replaced('The vote on the review of drafts takes 3 days.', naming, 1)).toEqual(['3 days']);
    expect(replaced('The vote on the review of drafts takes 3 days.', naming, 2)).toEqual([]);
    const plain = 'Actually the review of drafts takes 5 days.';
    expect(replaced('The vote on the review of drafts takes 3 days.', plain, 1)).toEqual(['3 days']);
    expect(replaced('The vote on the review of drafts takes 3 days.', plain, 2)).toEqual([]);
  });
});

test('a correction of nothing but values replaces what it names as old on any subject', () => {
  expect(replaced('The review takes 3 days.', 'No, 5 days, not 3 days.')).toEqual(['3 days']);
  expect(replaced('The review takes 4 days.', 'No, 5 days, not 3 days.')).toEqual([]);
});

test('where a correction names all of its values as old, none is known to be', () => {
  expect([...namedAsOld(sentenceOf('The review takes 5 days, not 3 days.'))]).toEqual(['3 days']);
  expect([...namedAsOld(sentenceOf('The review takes longer, not 3 days.'))]).toEqual([]);
});
