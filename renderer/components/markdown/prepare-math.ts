/** Code spans and fences, which are left as they are, then escaped dollars. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`|\\\$)/;
const DISPLAY = /\\\[([\s\S]+?)\\\]/g;
const INLINE = /\\\((.+?)\\\)/g;
/** Inline math as pandoc reads it: no space inside the dollars, no digit after them, so that prices stay prices. */
const DOLLARS = /\$\$|\$(?![\s$])((?:[^$\n\\]|\\.)*?[^\s$\\])\$(?!\d)|\$/g;

/**
 * Makes the ways in which models write math into one: `\(a\)` and `\[a\]` become dollars, and dollars that open no
 * math are escaped.
 */
export function prepareMath(text: string): string {
  if (!/[$\\]/.test(text)) return text;
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : outsideCode(part)))
    .join('');
}

function outsideCode(text: string): string {
  return text
    .replace(DOLLARS, (found) => (found === '$' ? '\\$' : found))
    .replace(DISPLAY, (_, math: string) => `$$\n${math.trim()}\n$$`)
    .replace(INLINE, (_, math: string) => `$${math.trim()}$`);
}

/** True where the text, once prepared, holds math. */
export function hasMath(prepared: string): boolean {
  return prepared.split(CODE).some((part, at) => at % 2 === 0 && part.includes('$'));
}
