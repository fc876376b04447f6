import type { ServedWindow } from './registry-types';

/** What is known about the window of one model on one server. Tokens; null = not known. */
export interface WindowFacts {
  /** What our requests ask for; null where the server does not let one ask. */
  readonly asked: number | null;
  /** What the server says it gives. */
  readonly reported: number | null;
  readonly trained: number | null;
  /** Proved by an overflow or a cut. */
  readonly learned: number | null;
  /** Entered by the user for a server that neither lets one ask nor tells. */
  readonly entered: number | null;
}

/**
 * The window to count with: the least of what is asked, reported and learned, never assumed from the model's name.
 * The trained size bounds what is asked, but is never taken for what is served.
 */
export function servedWindow(facts: WindowFacts): ServedWindow {
  const asked = least(facts.asked, facts.asked === null ? null : facts.trained);
  const known = (
    [
      ['learned', facts.learned],
      ['server', facts.reported],
      ['asked', asked],
      ['user', facts.reported === null && facts.asked === null ? facts.entered : null],
    ] as const
  ).flatMap(([source, tokens]) => (tokens === null ? [] : [{ source, tokens }]));
  const [first, ...rest] = known;
  if (!first) return { served: null, trained: facts.trained, source: 'unknown' };
  const served = rest.reduce((low, next) => (next.tokens < low.tokens ? next : low), first);
  return { served: served.tokens, trained: facts.trained, source: served.source };
}

function least(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
