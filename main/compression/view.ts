/** Which summaries a path shows: compression is a view over messages, never a rewrite of them. Pure. */

export interface ViewRow {
  readonly id: number;
  readonly coversFrom: number;
  readonly coversTo: number;
  readonly kind: 'text' | 'stubs';
}

/**
 * The rows the view takes: active, applicable ones that are not contained in another such row; of equal ranges the
 * newest. Ranges on a path are nested or disjoint, so what is left is disjoint. In order of the path. Long sessions have
 * thousands of outgrown rows: one pass over them, sorted.
 */
export function shownSummaries<R extends ViewRow>(rows: readonly R[]): R[] {
  const outermostFirst = rows
    .filter((row) => row.kind === 'text')
    .sort((a, b) => a.coversFrom - b.coversFrom || b.coversTo - a.coversTo || b.id - a.id);
  const shown: R[] = [];
  for (const row of outermostFirst) if (row.coversTo > (shown.at(-1)?.coversTo ?? 0)) shown.push(row);
  return shown;
}

/** True where undoing `row` would show older summaries again. */
export function containsOlder<R extends ViewRow>(rows: readonly R[], row: R): boolean {
  return rows.some(
    (other) =>
      other.id !== row.id &&
      other.kind === 'text' &&
      other.coversFrom >= row.coversFrom &&
      other.coversTo <= row.coversTo,
  );
}

/** The summary whose range holds that message, or null. `shown` as answered by `shownSummaries`. */
export function coveringSummary<R extends ViewRow>(shown: readonly R[], seq: number): R | null {
  return shown.find((row) => seq >= row.coversFrom && seq <= row.coversTo) ?? null;
}

/** True where two ranges overlap and neither holds the other: on one path that must not be. */
export function crosses(a: Omit<ViewRow, 'id' | 'kind'>, b: Omit<ViewRow, 'id' | 'kind'>): boolean {
  const [first, second] = a.coversFrom <= b.coversFrom ? [a, b] : [b, a];
  return (
    first.coversFrom < second.coversFrom && first.coversTo >= second.coversFrom && first.coversTo < second.coversTo
  );
}

/** The summaries that touch a range. `shown` as answered by `shownSummaries`. */
export function shownIn<R extends ViewRow>(shown: readonly R[], from: number, to: number): R[] {
  return shown.filter((row) => row.coversTo >= from && row.coversFrom <= to);
}
