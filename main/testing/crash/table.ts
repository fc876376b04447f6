import { killPoints, killTimes } from './kill-points';
import type { Found } from './round';

const HEAD = ['point', 'when', 'kills', 'turns', 'attempts', 'answers', 'leases', 'there', 'not', 'lost ms'];

/** Kills by point, and what the next starts found: what was open or held, unanswered sends that were there or not. */
export function tableOf(results: readonly Found[]): string {
  const keys = killPoints.flatMap((point) => killTimes.map((at) => `${point}|${at}`));
  const groups = new Map<string, Found[]>([...keys, 'random|'].map((key) => [key, []]));
  for (const found of results) {
    const { plan } = found;
    const key = `${plan.point}|${plan.point === 'random' ? '' : plan.at}`;
    groups.set(key, [...(groups.get(key) ?? []), found]);
  }
  const met = [...groups].filter(([, all]) => all.length > 0);
  const rows = met.map(([key, all]) => {
    const sum = (of: (found: Found) => number) => String(all.reduce((total, found) => total + of(found), 0));
    return [
      ...key.split('|'),
      String(all.length),
      sum((found) => found.turns),
      sum((found) => found.attempts),
      sum((found) => found.answers),
      sum((found) => found.leases),
      sum((found) => found.there),
      sum((found) => found.missing),
      String(Math.max(...all.map((found) => found.lostMs))),
    ];
  });
  const widths = HEAD.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  return [line(HEAD), ...rows.map(line)].join('\n');
}
