/**
 * Names under which models know the tools of servers: `prefix__tool`, of letters, digits, `_` and `-`, at most 64
 * characters, as every model's interface takes them. A tool has its name whichever other servers and tools there are, so
 * that the list keeps its bytes. Pure.
 */
import { createHash } from 'node:crypto';

const NAME_MAX = 64;
const PREFIX_MAX = 20;
const BETWEEN = '__';
/** Characters of the hash that tells names apart which would look alike. */
const MARK = 6;

/** A new server's prefix, unlike those that are taken: from its name, which may be anything. */
export function prefixFor(name: string, taken: ReadonlySet<string>): string {
  const slug = plain(name.toLowerCase())
    .slice(0, PREFIX_MAX)
    .replace(/^[_-]+|[_-]+$/g, '');
  const first = slug === '' ? 'server' : slug;
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `-${n}`;
    const prefix = `${first.slice(0, PREFIX_MAX - end.length)}${end}`;
    if (!taken.has(prefix)) return prefix;
  }
}

/** No two tools of a server have one name: what had to be changed carries a mark of the whole. */
export function offeredName(prefix: string, tool: string): string {
  const room = NAME_MAX - prefix.length - BETWEEN.length;
  const slug = plain(tool);
  if (slug === tool && slug.length <= room) return `${prefix}${BETWEEN}${slug}`;
  const mark = createHash('sha256').update(tool).digest('hex').slice(0, MARK);
  return `${prefix}${BETWEEN}${slug.slice(0, room - MARK - 1)}_${mark}`;
}

/** One `_` for each run of what a name cannot hold, so that the first `__` always ends the prefix. */
function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9-]+/g, '_');
}
