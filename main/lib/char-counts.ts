/** Characters of a text by script, in UTF-16 units: what token estimates start from. */
export interface CharCounts {
  readonly ascii: number;
  readonly cjk: number;
  readonly other: number;
}

/** CJK = scripts written without spaces where a character is about a token: Han, kana, Hangul, full-width forms. */
export function isCjk(unit: number): boolean {
  return (
    (unit >= 0x2e80 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7af) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff00 && unit <= 0xffef)
  );
}

/** One pass over the text. */
export function countChars(text: string): CharCounts {
  let cjk = 0;
  let other = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (isCjk(unit)) cjk++;
    else other++;
  }
  return { ascii: text.length - cjk - other, cjk, other };
}

export function addChars(a: CharCounts, b: CharCounts): CharCounts {
  return { ascii: a.ascii + b.ascii, cjk: a.cjk + b.cjk, other: a.other + b.other };
}

export const NO_CHARS: CharCounts = { ascii: 0, cjk: 0, other: 0 };
