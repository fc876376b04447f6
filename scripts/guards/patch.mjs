// The header of a guard patch, and what its titles mean.

/** Reads the `# key: value` lines before the diff. */
export function readPatch(text) {
  const header = {};
  for (const line of text.split('\n')) {
    const field = /^# (\w+): (.*\S)\s*$/.exec(line);
    if (field) header[field[1]] = field[2];
    else if (!line.startsWith('#') && line.trim() !== '') break;
  }
  const list = (value) => value?.split(/[\s,]+/) ?? [];
  return {
    title: header.title ?? null,
    also: list(header.also),
    breaks: list(header.breaks),
    seed: header.seed ?? null,
  };
}

/**
 * Whether one of these titles (of a test and the blocks around it) is the named one: P07 names every title that has P7
 * among the numbers at its start (`P6 P7 ...`); any other name is the beginning of a title.
 */
export function sameTitle(titles, name) {
  const [number] = pinned(name);
  return titles.some((title) => (number === undefined ? title.startsWith(name) : pinned(title).includes(number)));
}

/** Numbers of pinned behaviours at the start of a title. */
export function pinned(title) {
  const start = /^(P\d+\s+)*P\d+\b/.exec(title)?.[0] ?? '';
  return start.match(/\d+/g)?.map(Number) ?? [];
}

/** A test in a list: its numbers, else its own title. */
export function shortTitle(titles) {
  const numbers = titles.flatMap(pinned);
  return numbers.length > 0 ? numbers.map((number) => `P${number}`).join('+') : titles.at(-1);
}

/** A pattern for vitest's -t: every pinned test, and the named one. It is matched against the joined titles. */
export function testPattern(name) {
  const any = '(^|\\s)P\\d+\\b';
  return pinned(name).length === 0 ? `${any}|${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}` : any;
}
