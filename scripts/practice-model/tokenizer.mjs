// Byte-level byte-pair encoding in GPT-2's scheme, trained on the corpus. Any text comes back unchanged: what the
// corpus does not have falls back to single bytes.

export const SPECIAL = ['<|endoftext|>', '<|bos|>', '<|system|>', '<|user|>', '<|assistant|>', '<|end|>'];

const BYTES = 256;
const WORDS = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** GPT-2 writes each byte as one visible character: printable ones as they are, the others from U+0100 on. */
const byteNames = (() => {
  const printable = (byte) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = BYTES;
  return Array.from({ length: BYTES }, (_, byte) => String.fromCharCode(printable(byte) ? byte : next++));
})();

const wordsOf = (text) => text.match(WORDS) ?? [];
const symbolsOf = (word) => [...Buffer.from(word, 'utf8')].map((byte) => byteNames[byte]);

/**
 * Trains a vocabulary of `size` tokens. Answers the tokens in order of their ids, the merges in order of their
 * rank, the ids of the special tokens (the last ones), and `encode(text)`.
 */
export function trainTokenizer(corpus, size) {
  const merges = learnMerges(corpus, size - BYTES - SPECIAL.length);
  const tokens = [...byteNames, ...merges.map((merge) => merge.replace(' ', ''))];
  while (tokens.length < size - SPECIAL.length) tokens.push(`<|unused${tokens.length}|>`);
  const firstSpecial = tokens.length;
  tokens.push(...SPECIAL);
  const idOf = new Map(tokens.map((token, id) => [token, id]));
  const special = Object.fromEntries(SPECIAL.map((token) => [token, idOf.get(token)]));
  const encodeWord = wordEncoder(merges, idOf);
  const encode = (text) => wordsOf(text).flatMap(encodeWord);
  return { tokens, merges, special, firstSpecial, encode };
}

/** Joins the most frequent pair again and again; of equal ones the first by code units. */
function learnMerges(corpus, count) {
  const frequency = new Map();
  for (const word of wordsOf(corpus)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const words = [...frequency].map(([word, times]) => ({ symbols: symbolsOf(word), times }));
  const merges = [];
  while (merges.length < count) {
    const best = mostFrequentPair(words);
    if (best === null) break;
    merges.push(best);
    for (const { symbols } of words) join(symbols, best);
  }
  return merges;
}

function mostFrequentPair(words) {
  const pairs = new Map();
  for (const { symbols, times } of words) {
    for (let i = 0; i + 1 < symbols.length; i++) {
      const pair = `${symbols[i]} ${symbols[i + 1]}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + times);
    }
  }
  let best = null;
  let bestTimes = 0;
  for (const [pair, times] of pairs) {
    if (times > bestTimes || (times === bestTimes && pair < best)) {
      best = pair;
      bestTimes = times;
    }
  }
  return best;
}

function join(symbols, pair) {
  const [left, right] = pair.split(' ');
  for (let i = 0; i + 1 < symbols.length; i++) {
    if (symbols[i] === left && symbols[i + 1] === right) symbols.splice(i, 2, left + right);
  }
}

function wordEncoder(merges, idOf) {
  const rankOf = new Map(merges.map((merge, rank) => [merge, rank]));
  const known = new Map();
  return (word) => {
    const seen = known.get(word);
    if (seen) return seen;
    const symbols = symbolsOf(word);
    for (;;) {
      let at = -1;
      let lowest = Infinity;
      for (let i = 0; i + 1 < symbols.length; i++) {
        const rank = rankOf.get(`${symbols[i]} ${symbols[i + 1]}`);
        if (rank < lowest) {
          lowest = rank;
          at = i;
        }
      }
      if (at < 0) break;
      symbols.splice(at, 2, symbols[at] + symbols[at + 1]);
    }
    const ids = symbols.map((symbol) => idOf.get(symbol));
    known.set(word, ids);
    return ids;
  };
}
