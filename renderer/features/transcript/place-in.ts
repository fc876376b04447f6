/** CSS pixels left free over and under what is brought into view. */
const AIR = 16;
/** CSS pixels at the top edge that the copy of the fold line takes while one reads what it covers. */
const STICKY = 56;

/**
 * The scroll position at which a message, or the fold after it, stands in the middle of the scroller; what is higher
 * than that begins at its upper edge. Null where it is not mounted.
 */
export function placeIn(scroller: HTMLElement, goal: { readonly place: 'message' | 'fold'; readonly seq: number }) {
  const row = scroller.querySelector(`[data-seq="${goal.seq}"]`);
  const part = row?.querySelector(goal.place === 'fold' ? ':scope > .fold' : ':scope > article') ?? row;
  if (!part) return null;
  const view = scroller.getBoundingClientRect();
  const box = part.getBoundingClientRect();
  const over = goal.place === 'message' && part.classList.contains('covered') ? STICKY : AIR;
  const room = scroller.clientHeight - over - AIR - box.height;
  return scroller.scrollTop + box.top - view.top - over - Math.max(0, room / 2);
}
