import type { SessionId } from '../../shared/model/ids';
import type { SessionRow } from '../../shared/model/session';

/** Pinned first, the one pinned last on top; then by the last change. */
export function compareRows(a: SessionRow, b: SessionRow): number {
  if (a.pinnedAt !== null || b.pinnedAt !== null) {
    if (a.pinnedAt === null) return 1;
    if (b.pinnedAt === null) return -1;
    if (a.pinnedAt !== b.pinnedAt) return b.pinnedAt - a.pinnedAt;
  }
  if (a.updatedAt !== b.updatedAt) return b.updatedAt - a.updatedAt;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Where a row goes in an ordered list of ids that does not hold it. */
function placeOf(order: readonly SessionId[], rows: Readonly<Record<SessionId, SessionRow>>, row: SessionRow): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const id = order[middle];
    const other = id === undefined ? undefined : rows[id];
    if (other && compareRows(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The order after one row came or changed; the same array when its place is the same. */
export function reorder(
  order: readonly SessionId[],
  rows: Readonly<Record<SessionId, SessionRow>>,
  row: SessionRow,
): readonly SessionId[] {
  const before = rows[row.id];
  // A row that comes back from the bin is known, but has no place.
  if (before && before.deletedAt === null && compareRows(before, row) === 0) return order;
  const rest = before ? order.filter((id) => id !== row.id) : order.slice();
  rest.splice(placeOf(rest, rows, row), 0, row.id);
  return rest;
}
