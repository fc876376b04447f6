import { describe, expect, test } from 'vitest';
import { isCorrection, isDecision, isFailure, isGoal, isOpen, isRule, isState } from './cues';
import { MARK } from './marks';
import { type Sentence, scan } from './scan';

const KINDS = {
  rule: isRule,
  correction: isCorrection,
  goal: isGoal,
  decision: isDecision,
  open: isOpen,
  state: isState,
  failure: isFailure,
};
type Kind = keyof typeof KINDS;
const all = (kind: Kind, text: string) => scan(text).map(KINDS[kind]);

/** What each kind is known by, as people say it. */
const HEARD: Record<Kind, readonly string[]> = {
  rule: [
    'The name has to be unique.',
    'Both ports have to be closed.',
    'The table needs to stay sorted.',
    'Smoking is forbidden here.',
    '回答始终使用中文。',
    '日志一律保存。',
  ],
  correction: [
    'Wait, the limit is 5 days.',
    'I misspoke: it is Tuesday.',
    'The meeting was postponed to Friday.',
    'Scratch that, use port 81.',
    'Moment, es sind 5 Tage.',
    'Ich habe mich vertan: es sind 5 Tage.',
    'Ich habe mich leider geirrt, es ist Port 81.',
    'Ab sofort gilt Port 81.',
    '抱歉，端口是5433。',
    '端口调整为5433。',
  ],
  goal: ['I want a faster import.', 'Ich brauche einen schnelleren Import.', '我想加快导入。'],
  decision: ['We decided to keep Postgres.', 'Wir bleiben bei Postgres.', '我们采用这个方案。'],
  open: ['The price is still open.', 'To do: call the printer.', 'Offener Punkt: der Preis.', '价格待定。'],
  state: [
    'The import is deployed.',
    'The index is in place.',
    'The migration is through.',
    '问题搞定了。',
    '网站上线了。',
  ],
  failure: [
    'A restart did not help.',
    'I attempted a restart, but the lock stayed.',
    'Das hat nichts gebracht.',
    '重启不管用。',
  ],
};
const kinds = Object.keys(HEARD) as Kind[];

describe.each(kinds)('%s', (kind) => {
  test.each(HEARD[kind])('%s', (text) => {
    expect(all(kind, text)).toEqual([true]);
  });

  test('needs both: the mark of the cheap pass, and the words in their form', () => {
    const [text = ''] = HEARD[kind];
    const marks = MARK[kind];
    const is = (sentence: Sentence) => KINDS[kind](sentence);
    expect(is({ text, marks })).toBe(true);
    expect(is({ text, marks: ~(marks | MARK.question | MARK.code) })).toBe(false);
    expect(is({ text: 'The sky over the lake.', marks })).toBe(false);
  });
});

test('a question may tell a goal or what is open; it neither orders, corrects, decides nor reports', () => {
  const questions: Record<Kind, string> = {
    rule: 'Is it true that it must never restart?',
    correction: 'Was that the table, not the view but its copy?',
    goal: 'Can you help me with the import?',
    decision: 'Have we decided to keep Postgres?',
    open: 'Is the price still open?',
    state: 'And the import is deployed?',
    failure: 'Was it the restart that did not help?',
  };
  const asked = kinds.filter((kind) => all(kind, questions[kind]).includes(true));
  expect(asked).toEqual(['goal', 'open']);
  const told = kinds.filter((kind) => all(kind, questions[kind].replace('?', '.')).includes(true));
  expect(told).toEqual(kinds);
});

describe('rules and corrections are sentences that a person would repeat', () => {
  const LONGEST = 280;
  test.each<[Kind, string]>([
    ['rule', 'Never restart the primary'],
    ['correction', 'Actually it is the primary'],
  ])('a %s of the longest length is one, a longer text and a line of code are none', (kind, begin) => {
    const whole = (length: number) => `${begin} ${'x'.repeat(length - begin.length - 2)}.`;
    expect(all(kind, whole(LONGEST))).toEqual([true]);
    expect(all(kind, whole(LONGEST + 1))).toEqual([false]);
    expect(all(kind, `\`\`\`\n${begin}.\n\`\`\``)).toEqual([false]);
    expect(all(kind, `| ${begin}. |`)).toEqual([false]);
  });
});

test.each([
  '不知道别的办法。',
  'Ich habe mich gefragt, ob es jetzt geht.',
  'Never mind the port.',
  'No idea about it.',
])('orders and corrects nothing: %s', (text) => {
  expect([all('rule', text), all('correction', text)]).toEqual([[false], [false]]);
});
