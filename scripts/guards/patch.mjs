// The header of a guard patch, and what its titles mean.

/** Reads the `# key: value` lines before the diff. */
export function readPatch(text) {
  const header = {};
  for (const line of text.split('\n')) {
    const field = /^# (\w+): (.*\S)\s*$/.exec(line);
    if (field) header[field[1]] = field[2];
    else if (!line.startsWith('#') && line.trim() !== '') break;
  }
  return { title: header.title ?? null, also: header.also?.split(/[\s,]+/) ?? [] };
}

/**
 * Whether one of these titles (of a test and the blocks around it) is the named one: P07 names every title that
 * begins with P7; any other name is the beginning of a title.
 */
export function sameTitle(titles, name) {
  const number = pinned(name);
  return titles.some((title) => (number === null ? title.startsWith(name) : pinned(title) === number));
}

/** Number of a pinned behaviour at the start of a title, null where it is none. */
export function pinned(title) {
  const found = /^P0*(\d+)\b/.exec(title);
  return found ? Number(found[1]) : null;
}

/** A pattern for vitest's -t: every pinned test, and the named one. It is matched against the joined titles. */
export function testPattern(name) {
  const any = '(^|\\s)P\\d+\\b';
  return pinned(name) === null ? `${any}|${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}` : any;
}
