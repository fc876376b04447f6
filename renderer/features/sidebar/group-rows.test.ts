import { expect, it } from 'vitest';
import type { SessionId } from '../../../shared/model/ids';
import type { SessionRow } from '../../../shared/model/session';
import { fixtureRows } from '../../testing/fixture-data';
import { groupRows } from './group-rows';

const NOW = new Date(2026, 2, 20, 14, 32).getTime();
const [template] = fixtureRows(NOW, 0, 1);

function grouped(...times: readonly (readonly [Date, boolean])[]) {
  if (!template) throw new Error('no row');
  const rows: Record<SessionId, SessionRow> = {};
  const order = times.map(([at, pinned], place) => {
    const id = `row-${place}` as SessionId;
    rows[id] = { ...template, id, updatedAt: at.getTime(), pinnedAt: pinned ? 1 : null };
    return id;
  });
  return groupRows(order, rows, NOW).map((item) =>
    item.kind === 'row' ? item.time : 'name' in item.label ? `[${item.label.name}]` : `[${item.label.month}]`,
  );
}

it('groups by day and says at the end of a row what its group does not', () => {
  expect(
    grouped(
      [new Date(2026, 2, 20, 9), true],
      [new Date(2026, 2, 16, 9), true],
      [new Date(2026, 1, 1, 9), true],
      [new Date(2026, 2, 20, 0, 5), false],
      [new Date(2026, 2, 19, 23, 55), false],
      [new Date(2026, 2, 18, 9), false],
      [new Date(2026, 2, 13, 9), false],
      [new Date(2026, 2, 1, 9), false],
      [new Date(2025, 11, 1, 9), false],
    ),
  ).toEqual([
    '[pinned]',
    'time',
    'weekday',
    'date',
    '[today]',
    'time',
    '[yesterday]',
    'none',
    '[week]',
    'none',
    'none',
    '[March]',
    'none',
    '[December 2025]',
    'none',
  ]);
});
