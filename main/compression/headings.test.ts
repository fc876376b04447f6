import { expect, test } from 'vitest';
import { parseSections } from './sections';

const read = (text: string) => parseSections(text).map(({ name, lines }) => [name, lines.map((line) => line.text)]);

const facts = (...lines: string[]) => [['facts', lines]];
test.each([
  '## Facts',
  '# Facts',
  '#Facts',
  '###### Facts',
  '##Facts ##',
  '## 12. Facts',
  '## **Facts**',
  '## Facts about it',
  '**Facts**',
  '**Facts:**',
  '**Facts**:',
  '**Facts** ：',
  '__Facts__',
  '[Facts]',
  '【Facts】',
  '**1. Facts**',
  '- **1. Facts:**',
  '__known_data__',
  '## known_data',
  '_Key_facts_:',
  '*1. Facts*',
  '**4. Known data of it**',
  '**12. Wichtige Fakten und relevante Angaben:**',
  '**一、事实：**',
  `Key${' '.repeat(52)}facts:`,
  '## **Facts**:',
  '**(2) Facts**',
  '**Known data of it**',
  '**Data-that-was-seen-on-the-host-last-week**',
  '**Data that was seen here**',
  'Facts',
  'FACTS:',
  'Facts ：',
  '1. Facts',
  '12) Facts:',
  '(3) **Facts**',
  '十一、Facts',
  '一. Facts',
  '*Facts*',
  '_Facts_',
  '(Facts)',
  '*_Facts_*',
  '12. **Facts**',
  '-   1. Facts:',
  '- **Facts**',
  '*   Facts:',
  '– **Facts:**',
  '• 1. Facts:',
  "The user's facts",
  'Key facts and figures',
  'Wichtige Fakten',
  '关键事实',
  'Main and current facts & data and names',
])('%j is a heading', (heading) => {
  expect(read(`${heading}\n- a\n- b`)).toEqual(facts('a', 'b'));
});
test.each([
  '- Facts',
  '- **Data center**',
  '- **db-orders-01**',
  '- [Data]',
  '#4711 is done',
  '#',
  'x ## Facts',
  'x **Facts**',
  'x - Facts:',
  'Facts so far',
  'No facts: none',
  'Facts; more',
  '**Data that was seen on the host**',
  '**Data-that-was-seen-on-the-host-last-weeks**',
  '**The data "a"**',
  '**Data',
  'Data: a',
  'Key 1. facts:',
  '- **Weather:**',
  '- **Known data of it:**',
  '* Facts',
  '1. Weather',
  '- **Data: a center**',
  'so**a b**',
  `Key${' '.repeat(53)}facts:`,
  '**Known data of it today**: so',
  `${'Facts '.padEnd(61, 'x')}: a`,
  'x*Facts: a',
  '**Weather** is nice',
])('%j is no heading', (line) => {
  expect(read(`## Goal\n- go\n${line}\n- a`)).toEqual([
    ['goal', ['go', line.replace(/^(?:[-*]|1\.) /, '').replace(/^\*\*(.*)\*\*$/, '$1'), 'a']],
  ]);
});
test.each([
  ['## Weather', 'Weather'],
  ['# Weather #', 'Weather'],
  ['##Weather', 'Weather'],
  ['## Weather #4711', 'Weather #4711'],
  ['** Weather **', 'Weather'],
  ['## **Weather**', 'Weather'],
  ['**1. Weather**', '1. Weather'],
  ['## C# ##', 'C#'],
  ['## _', '_'],
  ['## Weather: nice', 'Weather: nice'],
  ['## Database', 'Database'],
  ['## Standort', 'Standort'],
  ['**Weather in March**', 'Weather in March'],
  ['[Weather]', 'Weather'],
])('the unknown heading %j is a line of its own', (heading, line) => {
  expect(read(`## Goal\n- go\n${heading}\n- nice`)).toEqual([
    ['goal', ['go']],
    ['state', [line, 'nice']],
  ]);
});

test('words behind a heading belong to it; those of a list item end with their line', () => {
  expect(read('## Goal\n- go\n- **Facts:** a  \n- Facts: b\n- then')).toEqual([
    ['goal', ['go', 'then']],
    ['facts', ['a', 'b']],
  ]);
  for (const line of [
    '## Facts: a',
    '### **1. Facts:** a',
    '# - Facts: a ##',
    '## Known data： a',
    '## __Facts:__ a',
    '**Facts**\u2028a',
    'Facts:\ra',
  ])
    expect(read(`## Goal\n- go\n${line}\n- b`)).toEqual([
      ['goal', ['go']],
      ['facts', ['a', 'b']],
    ]);
  expect(read('## Facts: ?!\n- a')).toEqual(facts('a'));
  expect(read('## Goal: learn C#')).toEqual([['goal', ['learn C#']]]);
  expect(read('## Goal\n- go\n**Facts:** a\n- b')).toEqual([
    ['goal', ['go']],
    ['facts', ['a', 'b']],
  ]);
});

test('a strong item that leads others is a heading, unless the headings have another form', () => {
  for (const item of ['- **Known data**', '*   **Known data of it:**', '- **关键事实如下：**', '– **Known data**:'])
    expect(read(`  ${item}\n   - a\n  - b`)).toEqual(facts('a', 'b'));
  expect(read('## Goal\n- **Known data**\n  - a')).toEqual([['goal', ['Known data', 'a']]]);
  expect(read('**Goal**\n- **Known data**\n  - a')).toEqual([['goal', ['Known data', 'a']]]);
  expect(read('- **Goal:** go\n- **Known data**\n  - a')).toEqual([
    ['goal', ['go']],
    ['facts', ['a']],
  ]);
  expect(read('- **Known data**\n- a')).toEqual([['state', ['Known data', 'a']]]);
  expect(read('- **Weather**\n  - a')).toEqual([['state', ['Weather', 'a']]]);
});

test('a strong item with a number is one of a list where it names no section', () => {
  expect(read('## Decisions\n1. **Use Postgres**\n2. **Use Redis**\n3. **Known data**\n- a')).toEqual([
    ['decisions', ['Use Postgres', 'Use Redis']],
    ['facts', ['a']],
  ]);
});

test('an unknown heading in strong type stands by itself', () => {
  expect(read('## Goal\nx\n**Launch on Friday**')).toEqual([
    ['goal', ['x']],
    ['state', ['Launch on Friday']],
  ]);
});

test('an unknown heading without lines is nothing', () => {
  expect(read('## Weather\n- None\n\n## Wind\n\n')).toEqual([]);
  expect(read('## Weather\n## Goal\n- go')).toEqual([['goal', ['go']]]);
  expect(read('## Weather\n- nice\n## Weather\n- dry')).toEqual([['state', ['Weather', 'nice', 'dry']]]);
});

test.each<[string, string]>([
  ['Exact details', 'anchors'],
  ['exact_details:', 'anchors'],
  ['## exact_details', 'anchors'],
  ['Open points', 'open'],
  ['Offene Fragen:', 'open'],
  ['Items', 'state'],
])('%j leads to the section %s', (heading, name) => {
  expect(read(`## Goal\n- go\n${heading}\n- a`)).toEqual([
    ['goal', ['go']],
    [name, ['a']],
  ]);
});
