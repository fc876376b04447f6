// Choices out of a seed: the same seed writes the same conversation on every machine.
import { seededRandom } from '../practice-model/random.mjs';

export function diceOf(seed) {
  const random = seededRandom(seed);
  const below = (n) => Math.floor(random() * n);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => random() < share,
    pick: (list) => list[below(list.length)],
    shuffled(list) {
      const out = [...list];
      for (let i = out.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [out[i], out[j]] = [out[j], out[i]];
      }
      return out;
    },
  };
}
