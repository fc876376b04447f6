import { useRef } from 'react';
import type { Attempt } from '../../../shared/model/compression';
import { advance, type BarMark } from './bar-progress';

/** Where the bar of this attempt stands: it remembers the furthest place, so that it never moves back. */
export function useBar(attempt: Attempt): BarMark {
  const mark = useRef<BarMark | null>(null);
  // Writing a ref while rendering is safe here: advancing twice by the same attempt gives the same mark.
  mark.current = advance(mark.current, attempt);
  return mark.current;
}
