import { expect, test } from 'vitest';
import type { SectionName } from '../../shared/model/compression';
import { Picker } from './extract';
import { Corrections } from './newer-wins';
import { readMessage, type SourceMessage } from './read-message';

type Said = readonly [role: SourceMessage['role'], text: string];

function pick(name: SectionName, ...said: readonly Said[]): string[] {
  const picker = new Picker({ from: 1, to: said.length });
  for (const [i, [role, text]] of said.entries()) picker.add(readMessage({ seq: i + 1, role, text }));
  const sections = picker.sections(2_000, (text) => text.length, new Corrections([]));
  return sections.filter((one) => one.name === name).flatMap((one) => one.lines.map((line) => line.text));
}

test.each([
  ['a greeting', 'Hi.', false],
  ['seven characters', 'Morning', false],
  ['eight characters', 'Good day', true],
  ['three Chinese characters', '你好。', false],
  ['four Chinese characters', '帮我搬家', true],
  ['a command', '`npm run build`', false],
  ['a sentence with a command in it', 'Look at `npm run build` please.', true],
])('%s at the beginning, “%s”, is the goal: %j', (_what, beginning, isGoal) => {
  const goal = isGoal ? beginning : 'The shop is slow.';
  expect(pick('goal', ['user', `${beginning}\nThe shop is slow.`])).toEqual([goal]);
});

test('the goal is how the user began, whatever it says, and what the user wished later; an order is none', () => {
  expect(
    pick(
      'goal',
      ['assistant', 'Please tell me what I can do.'],
      ['user', 'The shop is slow since May.'],
      ['user', 'Please look at the index.'],
      ['user', 'Please never restart it.'],
      ['user', 'Good, and how is the log?'],
    ),
  ).toEqual(['The shop is slow since May.', 'Please look at the index.']);
});

test('the beginnings of the three newest turns are state', () => {
  const turns = ['One more thing.', 'What about the log?', 'How large is it?', 'And the cache?'];
  const said = ['The shop is slow since May.', ...turns].map((text): Said => ['user', text]);
  expect(pick('state', ...said)).toEqual(turns.slice(1));
});

test.each<[string, SectionName, Said, string[]]>([
  ['what a tool did in vain', 'state', ['tool', 'The import failed.'], ['The import failed.']],
  ['what a tool did', 'state', ['tool', 'The import is done.'], ['The import is done.']],
  ['a colon inside', 'decisions', ['assistant', 'Decision: take the tapes.'], ['Decision: take the tapes.']],
  ['a line of code', 'state', ['assistant', 'I see:\n```\nThe import is done.\n```'], []],
  ['a row of a table', 'state', ['assistant', '| The import is done. |'], []],
  ['data', 'state', ['tool', '{ "note": "The import is done." }'], []],
])('%s: %s', (_what, name, said, expected) => {
  // something else, so that the message is not told for want of another
  expect(pick(name, ['user', 'The shop is slow since May.'], said)).toEqual(expected);
});

test('a message without a sentence is passed over', () => {
  expect(pick('goal', ['user', ''], ['assistant', ''], ['user', 'The shop is slow.'])).toEqual(['The shop is slow.']);
});
