/** Characters that show as nothing, or turn round how others show: control, format, and breaks of line and paragraph. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const EACH = new RegExp(HIDDEN.source, 'gu');

export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** The text with each hidden character as `\u{…}`, so that what is shown is what is there. Line breaks count as hidden. */
export function unhidden(text: string): string {
  return text.replace(EACH, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
}

/** One trimmed line without hidden characters: what a name may be. */
export function oneLine(text: string): string {
  return text.replace(EACH, ' ').replace(/\s+/g, ' ').trim();
}
