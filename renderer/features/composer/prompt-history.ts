/** A place in the user's earlier messages: 0 = the newest; null = not looking back. */
export type HistoryPlace = number | null;

/** One step back or forth through earlier messages, newest first; forth from the newest ends at the empty field. */
export function stepHistory(count: number, place: HistoryPlace, step: 'older' | 'newer'): HistoryPlace {
  if (count === 0) return null;
  if (step === 'older') return place === null ? 0 : Math.min(place + 1, count - 1);
  return place === null || place === 0 ? null : place - 1;
}

/** The user's messages to step through, newest first, without repeats in a row. */
export function historyOf(texts: readonly string[]): readonly string[] {
  const newestFirst = texts.filter((text) => text.trim() !== '').reverse();
  return newestFirst.filter((text, index) => text !== newestFirst[index - 1]);
}
