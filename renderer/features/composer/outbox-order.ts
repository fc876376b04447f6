import type { MessageId } from '../../../shared/model/ids';

/**
 * What `outbox.move` is asked for to bring an item to a place (counted from 0 in the order after the move):
 * the item it then stands before, null = at the end. `undefined` = it is there already, or there is no such item.
 */
export function moveBefore(ids: readonly MessageId[], id: MessageId, place: number): MessageId | null | undefined {
  const from = ids.indexOf(id);
  if (from === -1) return undefined;
  const others = ids.filter((other) => other !== id);
  const to = Math.min(Math.max(place, 0), others.length);
  return to === from ? undefined : (others[to] ?? null);
}
