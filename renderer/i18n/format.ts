/** Numbers, sizes, dates and times in the language of the catalogue, days before months. Times are the user's own. */
const LANGUAGE = 'en-GB';

const whole = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(LANGUAGE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const weekday = new Intl.DateTimeFormat(LANGUAGE, { weekday: 'short' });
const dayAndMonth = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'long' });
const month = new Intl.DateTimeFormat(LANGUAGE, { month: 'long' });
const monthAndYear = new Intl.DateTimeFormat(LANGUAGE, { month: 'long', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });
const dayMonthYear = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'long', year: 'numeric' });

/** A whole number with its groups: 41,300. */
export function formatTokens(count: number): string {
  return whole.format(count);
}

/** Tokens in thousands with one decimal, for the meter only: 34.4k. */
export function formatThousands(count: number): string {
  return `${tenth.format(count / 1_000)}k`;
}

/** A share of 0 to 1 with one decimal: 49.9 %. */
export function formatPercent(share: number): string {
  return `${tenth.format(share * 100)} %`;
}

/** Bytes in MB below 1 GB, else in GB, with one decimal where the number is small, counted in powers of ten as disks are sold. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${whole.format(Math.max(1, Math.round(bytes / 1e3)))} kB`;
  if (bytes < 1e7) return `${tenth.format(bytes / 1e6)} MB`;
  return bytes < 1e9 ? `${whole.format(bytes / 1e6)} MB` : `${tenth.format(bytes / 1e9)} GB`;
}

/** Memory in GB, counted in powers of two as it is sold: 23.6 GB. */
export function formatMemory(bytes: number): string {
  return `${tenth.format(bytes / 2 ** 30)} GB`;
}

/** How fast something arrives: 12.4 MB/s. */
export function formatSpeed(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** Billions of parameters: 0.5, 7.2, 4. */
export function formatBillions(count: number): string {
  return Number.isInteger(count) ? whole.format(count) : tenth.format(count);
}

/** Seconds with one decimal: 11.8 s. */
export function formatSeconds(ms: number): string {
  return `${tenth.format(ms / 1_000)} s`;
}

/** A running clock or countdown: 0:08, 4:08, 1:02:03. Never below zero. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Time of day: 14:02. */
export function formatTime(at: number): string {
  return clock.format(at);
}

/** 9 March; with the year where it is another one. */
export function formatDate(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayAndMonth : dayMonthYear).format(at);
}

/** The short name of the weekday: Mon. */
export function formatWeekday(at: number): string {
  return weekday.format(at);
}

/** today, yesterday, the weekday within the last week, else the date. */
export function formatDay(at: number, now: number): string {
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days <= 1) return relative.format(-Math.max(0, days), 'day');
  return days < 7 ? formatWeekday(at) : formatDate(at, now);
}

/** A moment that has passed: 14:02 today, else with its day before it: yesterday, 14:02. */
export function formatMoment(at: number, now: number): string {
  const today = new Date(at).setHours(0, 0, 0, 0) === new Date(now).setHours(0, 0, 0, 0);
  return today ? formatTime(at) : `${formatDay(at, now)}, ${formatTime(at)}`;
}

/** March; with the year where it is another one. */
export function formatMonth(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? month : monthAndYear).format(at);
}
