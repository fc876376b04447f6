import { expect, test } from 'vitest';
import type { SectionName } from '../../shared/model/compression';
import { Picker } from './extract';
import { Corrections } from './newer-wins';
import { readMessage, type SourceMessage } from './read-message';

type Said = readonly [at: number, role: SourceMessage['role'], text: string];

/** Every line costs the same, so that its rank alone decides how long it stays. */
const even = () => 10;
/** The numbers of a branch's part: far from 0, as after an earlier summary. */
const RANGE = { from: 1_000, to: 1_010 };

function pickerOf(said: readonly Said[]): Picker {
  const picker = new Picker(RANGE);
  for (const [at, role, text] of said) picker.add(readMessage({ seq: RANGE.from + at, role, text }));
  return picker;
}

/** Which of two lines is still there when, with less and less room, the other has gone. */
function outlives(name: SectionName, pair: readonly string[], picker: Picker): string | null {
  for (let budget = 400; budget > 0; budget--) {
    const sections = picker.sections(budget, even, new Corrections([]));
    const lines = sections.find((section) => section.name === name)?.lines ?? [];
    const left = pair.filter((text) => lines.some((line) => line.text === text));
    if (budget === 400) expect(left).toHaveLength(2);
    if (left.length === 1) return left[0] ?? null;
  }
  return null;
}

test.each<[string, SectionName, kept: Said, lost: Said]>([
  [
    'a correction before a later rule',
    'constraints',
    [1, 'user', 'Actually it is Sunday.'],
    [4, 'user', 'Never restart it.'],
  ],
  [
    'of two rules the later',
    'constraints',
    [8, 'user', 'Never restart the shop.'],
    [2, 'user', 'Never restart the host.'],
  ],
  ['of equals the later', 'constraints', [10, 'user', 'Never restart it.'], [0, 'user', 'Actually it is Sunday.']],

  [
    'a decision of the user',
    'decisions',
    [2, 'user', 'We decided to rent it.'],
    [8, 'assistant', 'We decided to buy it.'],
  ],
  [
    'a decision with a number',
    'decisions',
    [2, 'assistant', 'We decided to take 3.'],
    [4, 'assistant', 'We decided to take all.'],
  ],
  [
    'the later decision',
    'decisions',
    [8, 'assistant', 'We decided to buy it.'],
    [2, 'assistant', 'We decided to rent it.'],
  ],

  [
    'an open point of the user',
    'open',
    [2, 'user', 'It is still open who pays.'],
    [8, 'assistant', 'It is still open who signs.'],
  ],
  [
    'an open point with a number',
    'open',
    [2, 'assistant', 'Still open are 3 of them.'],
    [3, 'assistant', 'Still open are some of them.'],
  ],
  [
    'the later open point',
    'open',
    [8, 'assistant', 'It is still open who signs.'],
    [2, 'assistant', 'It is still open who pays.'],
  ],

  ['a failure that the user tells of', 'state', [2, 'user', 'The dump failed.'], [8, 'assistant', 'The copy failed.']],
  [
    'a failure with a number',
    'state',
    [2, 'assistant', 'The dump failed on 3 hosts.'],
    [4, 'assistant', 'The copy failed on all hosts.'],
  ],
  ['the later failure', 'state', [8, 'assistant', 'The copy failed.'], [2, 'assistant', 'The dump failed.']],

  ['what the user says is done', 'state', [2, 'user', 'The dump is done.'], [5, 'assistant', 'The copy is done.']],
  [
    'what is done, with a number',
    'state',
    [2, 'assistant', 'The dump of 3 hosts is done.'],
    [3, 'assistant', 'The copy of all hosts is done.'],
  ],
  ['what is done later', 'state', [8, 'assistant', 'The copy is done.'], [2, 'assistant', 'The dump is done.']],
  [
    'an answer at the end before the user’s word at the beginning',
    'state',
    [10, 'assistant', 'The copy is done.'],
    [0, 'user', 'The dump is done.'],
  ],
  [
    'the user’s failure before what the user says is done',
    'state',
    [2, 'user', 'The dump failed.'],
    [8, 'user', 'The copy is done.'],
  ],

  ['a tool’s failure before its success', 'state', [2, 'tool', 'The dump failed.'], [4, 'tool', 'The copy is done.']],
  [
    'a tool’s failure with a number',
    'state',
    [2, 'tool', 'The dump failed on 3 hosts.'],
    [4, 'tool', 'The copy failed on all hosts.'],
  ],
  ['a tool’s later failure', 'state', [8, 'tool', 'The copy failed.'], [2, 'tool', 'The dump failed.']],
  ['a tool’s later success', 'state', [8, 'tool', 'The copy is done.'], [2, 'tool', 'The dump is done.']],
])('where room is scarce stays %s', (_what, name, kept, lost) => {
  // a greeting before each, since the beginning of a user's message counts for itself
  const said = [kept, lost]
    .sort(([a], [b]) => a - b)
    .map(([at, role, text]): Said => [at, role, `Good morning to all. ${text}`]);
  expect(outlives(name, [kept[2], lost[2]], pickerOf(said))).toBe(kept[2]);
});

test.each<[SectionName, kept: string, lost: string]>([
  ['goal', 'The shop is slow since May.', 'Please look at the index.'],
  ['goal', 'Please look at the index.', 'Please look at the cache.'],
  ['state', 'So far the index is fine.', 'So far the cache is fine.'],
  ['state', 'So far the cache is fine.', 'The dump failed on 3 hosts.'],
])('as %s stays “%s” rather than “%s”', (name, kept, lost) => {
  const picker = pickerOf([
    [0, 'user', 'The shop is slow since May.'],
    [2, 'assistant', 'The dump failed on 3 hosts.'],
    [3, 'user', 'Please look at the cache.'],
    [5, 'user', 'Please look at the index.'],
    [6, 'user', 'So far the cache is fine.'],
    [8, 'user', 'So far the index is fine.'],
  ]);
  expect(outlives(name, [kept, lost], picker)).toBe(kept);
});

test('a part of one message has a rank for each of its lines', () => {
  const picker = new Picker({ from: 7, to: 7 });
  picker.add(readMessage({ seq: 7, role: 'user', text: 'Good morning. Never restart it. Actually it is Sunday.' }));
  const pair = ['Never restart it.', 'Actually it is Sunday.'];
  expect(outlives('constraints', pair, picker)).toBe('Actually it is Sunday.');
});

test.each([
  ['799 decisions are all there', 799, 1],
  ['of 800 the newer half is left: memory is bounded', 800, 401],
])('%s', (_what, all, oldest) => {
  const picker = new Picker({ from: 1, to: all });
  for (let seq = 1; seq <= all; seq++)
    picker.add(readMessage({ seq, role: 'assistant', text: `We decided to take the host h${seq}.` }));
  const [decisions] = picker.sections(100_000, even, new Corrections([]));
  expect(decisions?.name).toBe('decisions');
  expect(decisions?.lines.map((line) => line.sources[0])).toEqual(
    Array.from({ length: all - oldest + 1 }, (_, i) => oldest + i),
  );
});
