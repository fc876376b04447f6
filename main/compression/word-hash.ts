/** Words as numbers: compared by the million without making a string of each. FNV-1a over small letters. Pure. */

export const NO_WORD = 0x811c9dc5 | 0;

/** The hash with one more character, which must be a small letter or a digit. */
export const mix = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

export function hashOf(word: string): number {
  let hash = NO_WORD;
  for (let i = 0; i < word.length; i++) hash = mix(hash, word.charCodeAt(i));
  return hash;
}

/** Capitals are made small before; of × and ÷ that gives ÷, which is in no word. */
const isWordUnit = (c: number) =>
  (c >= 48 && c <= 57) || (c >= 97 && c <= 122) || c === 95 || (c >= 0xdf && c < 0x2000 && c !== 0xf7);

/** Calls `visit` with the hash of each word of three letters or more, each number, and each character of a CJK script. */
export function eachWord(text: string, visit: (hash: number) => void): void {
  let hash = NO_WORD;
  let letters = 0;
  let numeric = true;
  const close = () => {
    if (letters >= 3 || (letters > 0 && numeric)) visit(hash);
    hash = NO_WORD;
    letters = 0;
    numeric = true;
  };
  for (let i = 0; i < text.length; i++) {
    let c = text.charCodeAt(i);
    if ((c >= 65 && c <= 90) || (c >= 0xc0 && c <= 0xde)) c += 32;
    if (isWordUnit(c)) {
      hash = mix(hash, c);
      letters++;
      if (c > 57) numeric = false;
      continue;
    }
    // 4.2 and 1,000 are one number
    const next = text.charCodeAt(i + 1);
    if (numeric && letters > 0 && (c === 46 || c === 44) && next >= 48 && next <= 57) hash = mix(hash, c);
    else {
      close();
      if (c >= 0x2e80 && c <= 0x9fff && !(c >= 0x3000 && c <= 0x303f)) visit(mix(NO_WORD, c));
    }
  }
  close();
}
