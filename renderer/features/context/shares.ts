/**
 * Shares of a whole in tenths of a percent, rounded by largest remainder: they add up to the rounded share of
 * the parts' sum, so that a list of them never contradicts its own total. Equal remainders go to the earlier part.
 */
export function shares(parts: readonly number[], whole: number): readonly number[] {
  if (whole <= 0) return parts.map(() => 0);
  const exact = parts.map((part) => (part * 1000) / whole);
  const rounded = exact.map(Math.floor);
  const sum = exact.reduce((all, share) => all + share, 0);
  let missing = Math.round(sum) - rounded.reduce((all, share) => all + share, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder) {
    if (missing <= 0) break;
    rounded[index] = (rounded[index] ?? 0) + 1;
    missing -= 1;
  }
  return rounded;
}
