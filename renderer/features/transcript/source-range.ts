/** Where in a message's text the words lie that are selected on the page. Pure: the page shows Markdown without its marks. */

/** [from, to) of a text, in UTF-16 units. */
export interface SourceRange {
  readonly from: number;
  readonly to: number;
}

/** Letters by which a passage is found at its two ends where its middle is written otherwise, as a link's address is. */
const END = 16;

interface Letters {
  readonly text: string;
  /** Place in the source of each unit of `text`. */
  readonly at: readonly number[];
}

/**
 * The passage of `source` that a reader sees as `selected`. `before` = what the page shows of the message before the
 * selection, so that the right one of several equal passages is meant. null = it cannot be told.
 */
export function sourceRange(source: string, selected: string, before: string): SourceRange | null {
  const wanted = lettersOf(selected).text;
  if (wanted === '') return null;
  const letters = lettersOf(source);
  const shown = lettersOf(before).text;
  const whole = nth(letters.text, wanted, occurrences(shown + wanted, wanted) - 1);
  const span = whole === -1 ? byEnds(letters.text, wanted, shown) : { first: whole, last: whole + wanted.length - 1 };
  const first = span && letters.at[span.first];
  const last = span && letters.at[span.last];
  if (first === undefined || last === undefined || first === null || last === null) return null;
  return widened(source, first, last + 1, selected);
}

/** Letters, digits and what combines with them: all that Markdown's marks are not. */
function lettersOf(text: string): Letters {
  let kept = '';
  const at: number[] = [];
  for (const { 0: letter, index } of text.matchAll(/[\p{L}\p{N}\p{M}\p{S}]/gu)) {
    if (MARKS.has(letter)) continue;
    kept += letter;
    for (let unit = 0; unit < letter.length; unit++) at.push(index + unit);
  }
  return { text: kept, at };
}
/** Symbols that are marks of Markdown. */
const MARKS: ReadonlySet<string> = new Set(['`', '|', '~', '<', '>', '^', '+', '=']);

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count++;
  return count;
}

/** Place of the nth occurrence, counted from 0; the last one where there are fewer; -1 = none. */
function nth(text: string, part: string, n: number): number {
  let found = -1;
  for (let at = text.indexOf(part), i = 0; at >= 0 && i <= n; at = text.indexOf(part, at + 1), i++) found = at;
  return found;
}

function byEnds(text: string, wanted: string, before: string): { first: number; last: number } | null {
  if (wanted.length < 2 * END) return null;
  const head = wanted.slice(0, END);
  const tail = wanted.slice(-END);
  const first = nth(text, head, occurrences(before + head, head) - 1);
  const last = first === -1 ? -1 : text.indexOf(tail, first + END);
  return last === -1 ? null : { first, last: last + END - 1 };
}

/** Takes in what was selected at both ends besides letters (a bracket, a full stop, a minus), and marks that would be left half. */
function widened(source: string, first: number, last: number, selected: string): SourceRange {
  const signs = selected.trim();
  const lead = /^[^\p{L}\p{N}]*/u.exec(signs)?.[0].trimEnd() ?? '';
  const trail = /[^\p{L}\p{N}]*$/u.exec(signs)?.[0].trimStart() ?? '';
  let from = first;
  let to = last;
  const opens = /[*_`~]+$/.exec(source.slice(0, from))?.[0] ?? '';
  const closes = /^[*_`~]+/.exec(source.slice(to))?.[0] ?? '';
  const isHalf = (mark: string) => mark !== '' && occurrences(source.slice(first, last), mark) % 2 === 1;
  if (isHalf(closes) || (trail !== '' && source.startsWith(trail, to + closes.length))) to += closes.length;
  if (isHalf(opens) || (lead !== '' && source.slice(0, from - opens.length).endsWith(lead))) from -= opens.length;
  if (source.startsWith(trail, to)) to += trail.length;
  if (source.slice(0, from).endsWith(lead)) from -= lead.length;
  return { from, to };
}
