/** Which summaries a path shows: compression is a view over messages, never a rewrite of them. Pure. */

export interface ViewRow {
  readonly id: number;
  readonly coversFrom: number;
  readonly coversTo: number;
  readonly kind: 'text' | 'stubs';
}

/**
 * The rows the view takes: active, applicable ones that are not contained in another such row; of equal ranges the
 * newest. Ranges on a path are nested or disjoint, so what is left is disjoint. In order of the path.
 */
export function shownSummaries<R extends ViewRow>(rows: readonly R[]): R[] {
  const texts = rows.filter((row) => row.kind === 'text');
  return texts.filter((row) => !texts.some((other) => hides(other, row))).sort((a, b) => a.coversFrom - b.coversFrom);
}

function hides(other: ViewRow, row: ViewRow): boolean {
  if (other.id === row.id || other.coversFrom > row.coversFrom || other.coversTo < row.coversTo) return false;
  const equal = other.coversFrom === row.coversFrom && other.coversTo === row.coversTo;
  return !equal || other.id > row.id;
}

/** True where undoing `row` would show older summaries again. */
export function containsOlder<R extends ViewRow>(rows: readonly R[], row: R): boolean {
  return rows.some((other) => other.id !== row.id && other.kind === 'text' && hides(row, other));
}

/** The summary whose range holds that message, or null. `shown` as answered by `shownSummaries`. */
export function coveringSummary<R extends ViewRow>(shown: readonly R[], seq: number): R | null {
  return shown.find((row) => seq >= row.coversFrom && seq <= row.coversTo) ?? null;
}
