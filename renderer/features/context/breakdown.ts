import type { ContextPart, ContextUse } from '../../../shared/model/context';
import { contextParts } from '../../../shared/model/context';
import { shares } from './shares';

export interface PartRow {
  readonly part: ContextPart;
  readonly tokens: number;
  /** Tenths of a percent of the window; null = the window is unknown. */
  readonly share: number | null;
}

/** What the context panel lists. `sent` is the sum of the rows, and its share the sum of their shares. */
export interface Breakdown {
  readonly rows: readonly PartRow[];
  readonly sent: number;
  readonly sentShare: number | null;
  readonly reserve: number;
  readonly reserveShare: number | null;
  /** Tokens neither sent nor kept for the answer; null = the window is unknown. */
  readonly free: number | null;
  readonly freeShare: number | null;
  /** Tokens by which request and reserve are larger than the window. */
  readonly over: number;
}

/** Rows in the order in which the parts are sent. Shares are of the window and add up with reserve and free. */
export function breakdown(use: ContextUse): Breakdown {
  const tokens = contextParts.map((part) => use.parts[part]);
  const sent = tokens.reduce((all, part) => all + part, 0);
  if (use.window === null) {
    const rows = contextParts.map((part, index) => ({ part, tokens: tokens[index] ?? 0, share: null }));
    return {
      rows,
      sent,
      sentShare: null,
      reserve: use.reserve,
      reserveShare: null,
      free: null,
      freeShare: null,
      over: 0,
    };
  }
  const free = Math.max(0, use.window - sent - use.reserve);
  const over = Math.max(0, sent + use.reserve - use.window);
  const tenths = shares([...tokens, use.reserve, free], use.window);
  const rows = contextParts.map((part, index) => ({ part, tokens: tokens[index] ?? 0, share: tenths[index] ?? 0 }));
  return {
    rows,
    sent,
    sentShare: rows.reduce((all, row) => all + row.share, 0),
    reserve: use.reserve,
    reserveShare: tenths[contextParts.length] ?? 0,
    free,
    freeShare: tenths[contextParts.length + 1] ?? 0,
    over,
  };
}
