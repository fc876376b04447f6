import { describe, expect, test } from 'vitest';
import { AnchorBook } from './anchors';
import { placeAnchors } from './carriers';
import { Corrections } from './newer-wins';
import { readMessage, type SourceMessage } from './read-message';

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
