/** What no pattern may take for ever over. It runs in a process of its own, which is killed when it does. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildHostEntry } from '../testing/node-fork';

let built: Awaited<ReturnType<typeof buildHostEntry>>[] = [];
beforeAll(async () => {
  built = await Promise.all(['scan', 'sections'].map((name) => buildHostEntry(`main/compression/${name}.ts`)));
});
afterAll(() => Promise.all(built.map((one) => one.remove())));

/** Repeated to half a million characters, between each of the pairs: what no pattern begins or ends with. */
const UNITS = '#,*,_, ,\t,`,-,|,:,[,],1. ,a.,A. ,。,和,目标和,goal and ,**a** ,```,.1. 2'.split(',');
const AROUND = [
  ['', ''],
  ['a', 'b'],
  ['## a', 'b'],
  ['# a:', 'b'],
  ['- **', 'b'],
  ['- **a**:\u2028', 'a'],
  ['目标', '。'],
  ['goal ', ' 1'],
  ['x 13.10.', '2x'],
];
const READ = `
  const { files, units, around } = JSON.parse(process.argv[1]);
  const [{ scan }, { parseSections }] = await Promise.all(files.map((file) => import(file)));
  for (const unit of units)
    for (const [head, tail] of around) {
      const text = head + unit.repeat(500_000 / unit.length) + tail;
      scan(text);
      parseSections(text);
      for (const length of [40, 60]) parseSections((head + unit.repeat(length)).slice(0, length - 1) + tail);
    }
  console.log('read');
`;

test('a text of one repeated sign is read to its end', () => {
  const args = [
    '--input-type=module',
    '-e',
    READ,
    JSON.stringify({ files: built.map(({ file }) => file), units: UNITS, around: AROUND }),
  ];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000, killSignal: 'SIGKILL' })).toBe(
    'read\n',
  );
}, 40_000);
