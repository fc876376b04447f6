import type { Clock } from '../lib/clock';
import type { Tool, Toolbox } from './tool';

/** `current_time`: what no model can know by itself. Offered unless the user has switched it off. */
export function timeTools(clock: Clock, on: () => boolean): Toolbox {
  const tool: Tool = {
    name: 'current_time',
    description: 'Answers the current date, weekday and time where the user is.',
    schema: { type: 'object', properties: {} },
    approval: 'none',
    deadlineMs: 5_000,
    quotes: true, // nobody looks for what time it was
    run: () => Promise.resolve(timeWords(new Date(clock.wall()))),
  };
  return { needed: () => {}, toolsFor: () => (on() ? [tool] : []) };
}

/** As in "Wednesday, 2027-01-20 14:05:09, UTC+01:00 (Europe/Berlin)". */
export function timeWords(now: Date, zone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(now);
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const date = `${of('year')}-${of('month')}-${of('day')}`;
  const offset = of('timeZoneName').replace('GMT', 'UTC');
  return `${of('weekday')}, ${date} ${of('hour')}:${of('minute')}:${of('second')}, ${offset} (${zone})`;
}
