import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock';
import { timeTools, timeWords } from './time-tool';

test('the time is told with date, weekday, offset and zone', () => {
  const at = new Date('2027-01-20T13:05:09Z');
  expect(timeWords(at, 'Europe/Berlin')).toBe('Wednesday, 2027-01-20 14:05:09, UTC+01:00 (Europe/Berlin)');
  expect(timeWords(new Date('2027-07-01T00:00:00Z'), 'Asia/Kolkata')).toBe(
    'Thursday, 2027-07-01 05:30:00, UTC+05:30 (Asia/Kolkata)',
  );
});

test('it is offered unless it is switched off, and answers what the clock says then', async () => {
  let on = false;
  const clock = new ManualClock(Date.parse('2027-01-20T13:05:09Z'));
  const tools = timeTools(clock, () => on);
  const scope = {} as Parameters<typeof tools.toolsFor>[0];
  expect(tools.toolsFor(scope)).toEqual([]);
  on = true;
  const [tool] = tools.toolsFor(scope);
  clock.advance(3_600_000);
  const told = await tool?.run({}, new AbortController().signal, () => {});
  expect(told).toBe(timeWords(new Date('2027-01-20T14:05:09Z')));
});
