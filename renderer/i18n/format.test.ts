import { expect, it } from 'vitest';
import {
  formatBytes,
  formatClock,
  formatDay,
  formatMoment,
  formatPercent,
  formatThousands,
  formatTokens,
} from './format';

it('writes numbers as the mockups do', () => {
  expect(formatTokens(41_300)).toBe('41,300');
  expect(formatThousands(34_420)).toBe('34.4k');
  expect(formatThousands(640)).toBe('0.6k');
  expect(formatPercent(0.4986)).toBe('49.9 %');
  expect(formatBytes(18.6e9)).toBe('18.6 GB');
  expect(formatBytes(397e6)).toBe('397 MB');
  expect(formatBytes(2.6e6)).toBe('2.6 MB');
});

it.each([
  [-500, '0:00'],
  [8_999, '0:08'],
  [248_000, '4:08'],
  [3_723_000, '1:02:03'],
])('writes %d ms as %s', (ms, text) => {
  expect(formatClock(ms)).toBe(text);
});

it('names a day by how far it is', () => {
  const now = new Date(2026, 2, 20, 0, 30).getTime();
  expect(formatDay(new Date(2026, 2, 20, 0, 10).getTime(), now)).toBe('today');
  expect(formatDay(new Date(2026, 2, 19, 23, 50).getTime(), now)).toBe('yesterday');
  expect(formatDay(new Date(2026, 2, 16, 12).getTime(), now)).toBe('Mon');
  expect(formatDay(new Date(2026, 2, 9, 12).getTime(), now)).toBe('9 March');
  expect(formatDay(new Date(2025, 2, 9, 12).getTime(), now)).toBe('9 March 2025');
});

it('names a moment by its time, and by its day where that is another one', () => {
  const now = new Date(2026, 2, 20, 0, 30).getTime();
  expect(formatMoment(new Date(2026, 2, 20, 0, 10).getTime(), now)).toBe('00:10');
  expect(formatMoment(new Date(2026, 2, 19, 23, 50).getTime(), now)).toBe('yesterday, 23:50');
  expect(formatMoment(new Date(2026, 2, 9, 14, 2).getTime(), now)).toBe('9 March, 14:02');
});
