import { expect, test } from 'vitest';
import { joinSections, linesOf, parseSections, renderSections } from './sections';

const read = (text: string) => parseSections(text).map(({ name, lines }) => [name, lines.map((line) => line.text)]);

test('what is rendered is read again as it was', () => {
  const sections = parseSections('## Goal\n- a\n## Decisions\n- b\n- c\n## Open points\n- d\n## Exact details\n- e');
  expect(parseSections(renderSections(sections))).toEqual(sections);
});

const GOAL_AND_DECISION = [
  ['goal', ['Move the orders database.']],
  ['decisions', ['Use logical replication.']],
];

test.each([
  ['as it was asked for', '## Goal\n- Move the orders database.\n\n## Decisions\n- Use logical replication.'],
  [
    'with a preamble',
    'Here is the summary:\n\n## Goal\n- Move the orders database.\n## Decisions\n- Use logical replication.',
  ],
  [
    'with a preamble and closing words',
    'Sure! Here is a summary of the conversation so far:\n\n**Goal**\n- Move the orders database.\n\n**Decisions**\n- Use logical replication.\n\nLet me know if you need anything else!',
  ],
  [
    'in one fence',
    '```markdown\n## Goal\n- Move the orders database.\n\n## Decisions\n- Use logical replication.\n```',
  ],
  ['with numbered headings', '## 1. Goal\n- Move the orders database.\n\n## 2. Decisions\n- Use logical replication.'],
  [
    'with numbered strong headings',
    '1. **Goal**\n   - Move the orders database.\n2. **Decisions:**\n   - Use logical replication.',
  ],
  ['with bare headings', 'Goal:\n- Move the orders database.\n\nDecisions:\n1. Use logical replication.'],
  ['with words behind the headings', '**Goal:** Move the orders database.\n**Decisions:** Use logical replication.'],
  ['as one list', '- **Goal**: Move the orders database.\n- **Decisions**: Use logical replication.'],
  ['with German headings', '## Ziel\n- Move the orders database.\n## Entscheidungen\n- Use logical replication.'],
  [
    'with a German preamble',
    'Hier ist die Zusammenfassung:\n\n**Ziel:**\n* Move the orders database.\n\n**Getroffene Entscheidungen:**\n* Use logical replication.',
  ],
  ['with Chinese headings', '【目标】\n- Move the orders database.\n【决策】\n- Use logical replication.'],
  [
    'with Chinese numbers',
    '以下是对话摘要：\n\n一、目标\n1、Move the orders database.\n二、决定\n1、Use logical replication.',
  ],
  [
    'under a title',
    '# Summary\n\n### Goal\n• Move the orders database.\n### Decisions\n• Use logical replication.\n\n---',
  ],
  [
    'with empty sections',
    '## Goal\n- Move the orders database.\n## Constraints\n- None\n## Decisions\n- Use logical replication.\n## Open points\n(none)',
  ],
])('an answer %s gives the same sections', (_name, answer) => {
  expect(read(answer)).toEqual(GOAL_AND_DECISION);
});

test('an answer that ignores the form still gives a summary: its lines are state', () => {
  const prose = 'The user moves the orders database.\nThey decided on logical replication; the copy takes 42 min.';
  expect(read(prose)).toEqual([['state', prose.split('\n')]]);
});

test('words with a colon are no heading where they name no section', () => {
  expect(read('## Facts\n- Host: db-orders-01\n- Deadline: 3 April\n- Deploy: none of them')).toEqual([
    ['facts', ['Host: db-orders-01', 'Deadline: 3 April', 'Deploy: none of them']],
  ]);
});

test('an unknown heading and its lines are kept, and a line that is said twice once', () => {
  expect(read('## Weather\n- nice\n- nice\n## Goal\n- go')).toEqual([
    ['goal', ['go']],
    ['state', ['Weather', 'nice']],
  ]);
});

test.each<[string, string, [string, string[]][]]>([
  [
    'a strong item loses its stars',
    '- **All of the copies must stay.**  ',
    [['state', ['All of the copies must stay.']]],
  ],
  [
    'strong words in a line keep theirs',
    '**All of the copies must stay** in Europe\nNote: **all of the copies must stay**',
    [['state', ['**All of the copies must stay** in Europe', 'Note: **all of the copies must stay**']]],
  ],
  ['strong words are trimmed', '- ** a b **', [['state', ['a b']]]],
  ['an item without words is none', '## Goal\n- \n-\n- go', [['goal', ['go']]]],
  ['a line may begin with a rule', '## Goal\n--force is not used', [['goal', ['--force is not used']]]],
  ['a line may speak of a fence', '## Goal\nend with ```', [['goal', ['end with ```']]]],
  ['blanks around lines are nothing', '  ## Goal  \n\t- go \n   \n', [['goal', ['go']]]],
  [
    'a preamble behind blank lines and a fence',
    ' \n\n```markdown\n**Here is a summary of our conversation so far:**\n## Goal\n- go',
    [['goal', ['go']]],
  ],
  [
    'a preamble as a heading',
    '### Summary of all that was said:\n**Notes on all that was said until now:**\n## Goal\n- go',
    [['goal', ['go']]],
  ],
  [
    'a second preamble',
    'Sure!\n## Goal\nHere is the key: 42',
    [
      ['goal', ['Here is the key: 42']],
      ['state', ['Sure!']],
    ],
  ],
  ['closing words at the end', '## Goal\n- go\n  I hope this helps.  \n```\n\n', [['goal', ['go']]]],
  ['closing words in the middle', '## Goal\nI hope it holds.\n- go', [['goal', ['I hope it holds.', 'go']]]],
  [
    'closing words before a line that ends in a fence',
    '## Goal\nI hope so.\nin ```',
    [['goal', ['I hope so.', 'in ```']]],
  ],
  ['nothing but closing words', 'I hope this helps.', [['state', ['I hope this helps.']]]],
])('lines: %s', (_name, answer, expected) => {
  expect(read(answer)).toEqual(expected);
});

test('a line has no sources yet, and sections come in their order', () => {
  expect(parseSections('Facts:\n- a\nGoal:\n- b')).toEqual([
    { name: 'goal', lines: [{ text: 'b', sources: [] }] },
    { name: 'facts', lines: [{ text: 'a', sources: [] }] },
  ]);
});

test('a section without lines is not sent', () => {
  const [goal] = parseSections('## Goal\n- go');
  expect(linesOf(goal ? [goal] : [])).toEqual([{ text: 'go', sources: [] }]);
  expect(renderSections([{ name: 'facts', lines: [] }, ...(goal ? [goal] : [])])).toBe('## Goal\n- go');
});

test('sections of several summaries become one, each in the order in which they are given', () => {
  const joined = joinSections([parseSections('## Facts\n- a\n## Goal\n- b'), parseSections('## Facts\n- c')]);
  expect(joined.map(({ name, lines }) => [name, lines.map(({ text }) => text)])).toEqual([
    ['goal', ['b']],
    ['facts', ['a', 'c']],
  ]);
});

test('nothing but rules and empty marks is nothing', () => {
  expect(linesOf(parseSections('## Goal\n---\n- None.\n```\n```'))).toEqual([]);
});

test('of what a person typed every line is meant', () => {
  expect(
    parseSections('Here is the summary:\n## Open points\n- None\nLet me know if you need more.', 'person').flatMap(
      ({ lines }) => lines.map((line) => line.text),
    ),
  ).toEqual(['Here is the summary:', 'None', 'Let me know if you need more.']);
});
