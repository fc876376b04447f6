import { describe, expect, test } from 'vitest';
import type { SummarySection } from '../../shared/model/compression';
import { Picker } from './extract';
import { Corrections } from './newer-wins';
import { readMessage, type SourceMessage } from './read-message';

type Said = readonly [role: SourceMessage['role'], text: string];

const NONE = new Corrections([]);
const byLength = (text: string) => text.length;

function pickerOf(...said: readonly Said[]): Picker {
  const picker = new Picker({ from: 1, to: said.length });
  for (const [i, [role, text]] of said.entries()) picker.add(readMessage({ seq: i + 1, role, text }));
  return picker;
}
const lines = (name: string, sections: readonly SummarySection[]) =>
  sections.filter((one) => one.name === name).flatMap((one) => one.lines.map((line) => line.text));

describe('a long sentence is cut at a word', () => {
  const words = (length: number) => 'orders and hosts '.repeat(20).slice(0, length);
  test.each<[string, sentence: string, line: string]>([
    ['at 220 characters not at all', `${words(211)} the last`, `${words(211)} the last`],
    ['above, before the word that no longer fits', `${words(211)} the longer`, `${words(211)} the…`],
    ['without a blank wherever it is', 'x'.repeat(300), `${'x'.repeat(220)}…`],
    ['after a short first word inside the second', `Orders ${'x'.repeat(300)}`, `Orders ${'x'.repeat(213)}…`],
    ['after half of it not', `${'y'.repeat(110)} ${'x'.repeat(300)}`, `${'y'.repeat(110)} ${'x'.repeat(109)}…`],
    ['never inside a character', `👍${'x'.repeat(217)}${'👍'.repeat(20)}`, `👍${'x'.repeat(217)}…`],
  ])('%s', (_what, sentence, line) => {
    expect(lines('goal', pickerOf(['user', sentence]).sections(10_000, byLength, NONE))).toEqual([line]);
  });
});

// the goal has 15 % of the budget, and each line costs two tokens more than its text
test.each([
  [200, 'Move orders to another house', ['Move orders to another house']],
  [200, 'Move orders to another houses', ['Move orders to another…']],
  [100, 'Move_orders_to_another_house', ['Move_orders_…']],
  [99, 'Move_orders_to_another_house', []],
  [40, 'Move_orders_to_another_house', []],
])('a budget of %i has for the goal “%s”: %j', (budget, goal, left) => {
  expect(lines('goal', pickerOf(['user', goal]).sections(budget, byLength, NONE))).toEqual(left);
});

test('a very long line of a base is cut in a few steps', () => {
  let counts = 0;
  const count = (text: string) => {
    counts++;
    return Math.ceil(text.length / 4);
  };
  const goal = [{ name: 'goal' as const, lines: [{ text: 'word '.repeat(20_000), sources: [] }] }];
  const [line] = lines('goal', pickerOf().sections(1_000, count, NONE, goal));
  expect(line?.length).toBeGreaterThan(500);
  expect(counts).toBeLessThan(10);
});

test('only the first line of a section is cut to its room; another that is too long makes place for a shorter', () => {
  const picker = pickerOf(
    ['assistant', 'We decided to keep tapes.'],
    ['assistant', `We decided to keep the ${'very '.repeat(20)}old host.`],
    ['assistant', 'We decided to buy a host.'],
  );
  expect(lines('decisions', picker.sections(140, byLength, NONE))).toEqual([
    'We decided to keep tapes.',
    'We decided to buy a host.',
  ]);
});

test('what was said twice, or counts in two ways, stands once', () => {
  const picker = pickerOf(
    ['user', 'Please move the orders.'],
    ['assistant', 'We decided to keep tapes.'],
    ['assistant', 'We decided to keep tapes.'],
    ['user', 'Never restart the host.'],
  );
  expect(picker.sections(1_000, byLength, NONE)).toEqual([
    { name: 'goal', lines: [{ text: 'Please move the orders.', sources: [1] }] },
    { name: 'constraints', lines: [{ text: 'Never restart the host.', sources: [4] }] },
    { name: 'decisions', lines: [{ text: 'We decided to keep tapes.', sources: [3] }] },
  ]);
});

describe('facts of a base', () => {
  const base: SummarySection[] = [
    { name: 'decisions', lines: [{ text: 'Keep the old host.', sources: [1] }] },
    {
      name: 'facts',
      lines: [
        { text: 'There are 12 hosts.', sources: [2] },
        { text: 'Please move the orders.', sources: [1] },
        { text: 'The rack is full.', sources: [1] },
      ],
    },
  ];
  const picker = pickerOf(['user', 'Please move the orders.'], ['assistant', 'I see.']);

  test('stand last, in the order of the conversation, without what stands already', () => {
    expect(picker.sections(1_000, byLength, NONE, base)).toEqual([
      { name: 'goal', lines: [{ text: 'Please move the orders.', sources: [1] }] },
      { name: 'decisions', lines: [{ text: 'Keep the old host.', sources: [1] }] },
      {
        name: 'facts',
        lines: [
          { text: 'The rack is full.', sources: [1] },
          { text: 'There are 12 hosts.', sources: [2] },
        ],
      },
    ]);
  });
});

describe('where nothing stands out', () => {
  const chat = (length: number) =>
    Array.from({ length }, (_, i): Said => ['tool', `The sky over town ${i + 1} is grey.`]);
  const places = (sections: readonly SummarySection[]) =>
    sections.flatMap((one) => one.lines.map((line) => [one.name, ...line.sources]));

  test.each([
    ['the newest 64 words are told at most', 10_000, 10, 37],
    ['the newest words fill the room to its last token', 40, 2, 91],
    ['some words have room whatever the budget is', 3, 2, 91],
  ])('%s', (_what, budget, price, oldest) => {
    expect(places(pickerOf(...chat(100)).sections(budget, () => price, NONE))).toEqual(
      Array.from({ length: 101 - oldest }, (_, i) => ['state', oldest + i]),
    );
  });

  test('an order of the user is told where nothing else has room, and one of an answer is not', () => {
    const picker = pickerOf(['user', 'Never restart it.'], ['assistant', 'Always restart it.']);
    expect(picker.sections(5, byLength, NONE)).toEqual([
      { name: 'state', lines: [{ text: 'Never restart it.', sources: [1] }] },
    ]);
  });

  test('a message is told by its first real sentence, or by what little it says', () => {
    const picker = pickerOf(['assistant', 'Ok.\nThe sky is grey.'], ['assistant', ''], ['tool', 'Ok.']);
    expect(lines('state', picker.sections(200, byLength, NONE))).toEqual(['The sky is grey.', 'Ok.']);
  });

  test.each<[string, readonly Said[]]>([
    ['no message', []],
    [
      'only empty messages',
      [
        ['user', ''],
        ['assistant', ' \n'],
        ['tool', ''],
      ],
    ],
  ])('%s gives no section', (_what, said) => {
    expect(pickerOf(...said).sections(200, byLength, NONE)).toEqual([]);
  });
});
