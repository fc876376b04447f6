import { useState } from 'react';
import type { Attempt } from '../../../shared/model/compression';

/**
 * The attempt to show. One that ended is shown on while its card leaves, until `left` is called; one that did not end,
 * and any where motion is not wanted, is gone at once.
 */
export function useLeaving(attempt: Attempt | null) {
  const [shown, setShown] = useState(attempt);
  if (attempt !== null && attempt !== shown) setShown(attempt);
  const still = shown?.outcome == null || matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (attempt === null && shown !== null && still) setShown(null);
  return {
    shown: attempt ?? (still ? null : shown),
    leaving: attempt === null,
    left: () => setShown(null),
  };
}
