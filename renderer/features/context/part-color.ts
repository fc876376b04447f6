import type { ContextPart } from '../../../shared/model/context';

/** The color of a part: the same in the bar and in the list. */
export function partColor(part: ContextPart): string {
  return `var(--part-${part})`;
}
