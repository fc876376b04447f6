import type { SessionId } from '../../../shared/model/ids';
import type { SessionRow } from '../../../shared/model/session';
import { formatMonth } from '../../i18n/format';

/** A line of the list: a group's label, or a chat with what stands at its end. */
export type ListItem =
  | { readonly kind: 'group'; readonly key: string; readonly label: GroupLabel }
  | { readonly kind: 'row'; readonly key: SessionId; readonly time: TimeStyle };
/** One of the fixed names, or a month's own. */
export type GroupLabel = { readonly name: 'pinned' | 'today' | 'yesterday' | 'week' } | { readonly month: string };
/** Time of day in Today; pinned ones older than that name their day; the others say nothing their group does not. */
export type TimeStyle = 'time' | 'weekday' | 'date' | 'none';

const DAY_MS = 86_400_000;

/** Groups ordered rows by day, as seen at `now`: Pinned, Today, Yesterday, Previous 7 days, then months. */
export function groupRows(
  order: readonly SessionId[],
  rows: Readonly<Record<SessionId, SessionRow>>,
  now: number,
): readonly ListItem[] {
  const items: ListItem[] = [];
  const today = new Date(now).setHours(0, 0, 0, 0);
  let group = '';
  for (const id of order) {
    const row = rows[id];
    if (!row) continue;
    const label = labelOf(row, today, now);
    const key = 'name' in label ? label.name : label.month;
    if (key !== group) {
      group = key;
      items.push({ kind: 'group', key: `group ${key}`, label });
    }
    items.push({ kind: 'row', key: id, time: timeStyle(row, today) });
  }
  return items;
}

function labelOf(row: SessionRow, today: number, now: number): GroupLabel {
  if (row.pinnedAt !== null) return { name: 'pinned' };
  if (row.updatedAt >= today) return { name: 'today' };
  // A day of the calendar may have 23 or 25 hours.
  if (row.updatedAt >= new Date(today - DAY_MS / 2).setHours(0, 0, 0, 0)) return { name: 'yesterday' };
  if (row.updatedAt >= today - 7 * DAY_MS) return { name: 'week' };
  return { month: formatMonth(row.updatedAt, now) };
}

function timeStyle(row: SessionRow, today: number): TimeStyle {
  if (row.updatedAt >= today) return 'time';
  if (row.pinnedAt === null) return 'none';
  return row.updatedAt >= today - 6 * DAY_MS ? 'weekday' : 'date';
}
