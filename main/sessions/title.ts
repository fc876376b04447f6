/** Characters of a title made from a message. */
const LONGEST = 60;

/** A session's first name: the beginning of its first message, cut at a word. */
export function titleFrom(text: string): string {
  const line =
    text
      .replace(/```[\s\S]*?(```|$)/g, ' ')
      .replace(/[#>*_`~]+/g, '')
      .trim()
      .split('\n')[0]
      ?.trim() ?? '';
  const flat = (line === '' ? text : line).replace(/\s+/g, ' ').trim();
  if (flat.length <= LONGEST) return flat;
  const cut = flat.slice(0, LONGEST);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > LONGEST / 2 ? space : LONGEST)}…`;
}
