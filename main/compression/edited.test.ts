import { describe, expect, test } from 'vitest';
import { AppError } from '../../shared/errors';
import type { Receipt, ReceiptAnchor, SummarySection } from '../../shared/model/compression';
import { type EditAnswer, editedOrThrow, editedSections, editedText } from './edited';

const old: SummarySection[] = [
  { name: 'goal', lines: [{ text: 'Move the orders.', sources: [2, 5] }] },
  { name: 'facts', lines: [{ text: 'The host is db-orders-01.', sources: [3] }] },
];

describe('the text that a person typed', () => {
  test('a line that stayed keeps its sources, also in another section; a new one has none yet', () => {
    const typed = '## Goal\n- Move the orders.\n- And the users.\n## State\n- The host is db-orders-01.';
    expect(editedSections(old, typed)).toEqual([
      {
        name: 'goal',
        lines: [
          { text: 'Move the orders.', sources: [2, 5] },
          { text: 'And the users.', sources: [] },
        ],
      },
      { name: 'state', lines: [{ text: 'The host is db-orders-01.', sources: [3] }] },
    ]);
  });

  test('its words are meant, where a model’s would be taken for reasoning, a preamble or nothing', () => {
    const typed = 'Here is the summary:\n<think>aloud</think> is what the tag does\nnone';
    expect(editedSections(old, typed)?.flatMap(({ lines }) => lines.map(({ text }) => text))).toEqual([
      'Here is the summary:',
      '<think>aloud</think> is what the tag does',
      'none',
    ]);
  });

  test('a key in it is struck, and headings alone leave nothing', () => {
    expect(editedSections(old, 'password: hunter22')?.[0]?.lines[0]?.text).toBe('password: [secret removed]');
    expect(editedSections(old, '## Goal\n\n## State\n')).toBeNull();
    expect(editedSections(old, ' \n')).toBeNull();
  });
});

describe('the receipt of an edited summary', () => {
  const receiptOf = (...anchors: ReceiptAnchor[]): Receipt => ({
    ...{ kept: 7, restored: 7, dropped: 7, struckLines: 3, aboveTarget: true },
    anchors,
  });
  const facts = (...texts: string[]): SummarySection[] => [
    { name: 'facts', lines: texts.map((text) => ({ text, sources: [] })) },
  ];

  test('what the edit took out is dropped, what it wrote in is kept, the rest stays what it was', () => {
    const before = receiptOf(
      { text: '42 min', seq: 1, fate: 'kept' },
      { text: 'ORD-1', seq: 2, fate: 'kept' },
      { text: '3 days', seq: 3, fate: 'restored' },
      { text: 'db-1', seq: 4, fate: 'restored' },
      { text: '9 seats', seq: 5, fate: 'dropped' },
      { text: '5 ms', seq: 6, fate: 'dropped' },
      { text: '7 km', seq: 7, fate: 'kept' },
    );
    const { receipt } = editedText(facts('It takes 42 min and 3 days.', 'For 9 seats in 13 rows over 7 km.'), before);
    expect(receipt).toEqual({
      ...{ kept: 3, restored: 1, dropped: 3, struckLines: 0, aboveTarget: true },
      anchors: [
        { text: '42 min', seq: 1, fate: 'kept' },
        { text: 'ORD-1', seq: 2, fate: 'dropped' },
        { text: '3 days', seq: 3, fate: 'restored' },
        { text: 'db-1', seq: 4, fate: 'dropped' },
        { text: '9 seats', seq: 5, fate: 'kept' },
        { text: '5 ms', seq: 6, fate: 'dropped' },
        { text: '7 km', seq: 7, fate: 'kept' },
      ],
    });
  });

  test('a summary without a receipt is edited without one', () => {
    const sections = facts('It takes 42 min.');
    expect(editedText(sections, null)).toEqual({ text: '## Facts\n- It takes 42 min.', sections, receipt: null });
  });
});

describe('what the person is told of an edit', () => {
  const counts = { tokensBefore: 40, tokensAfter: 55 };
  test.each<[string, EditAnswer, AppError]>([
    ['it is no longer there', { kind: 'gone' }, new AppError('not-found', { what: 'summary' })],
    ['nothing is left of it', { kind: 'empty' }, new AppError('summary-empty')],
    [
      'it is larger than what it covers',
      { kind: 'too-large', ...counts },
      new AppError('summary-too-large', { tokens: 55, covered: 40 }),
    ],
  ])('%s', (_name, answer, error) => {
    expect(() => editedOrThrow(answer)).toThrow(error);
  });
  test('else its text with both counts', () => {
    const edited = { text: 'x', sections: [], receipt: null, ...counts };
    expect(editedOrThrow({ kind: 'edited', ...edited })).toEqual(edited);
  });
});
