import { unhidden } from './hidden-characters';

type Way =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string };

/** How a server is started or reached, in one line, for people: the same words wherever it is shown or confirmed. */
export function runsAs(way: Way): string {
  if (way.kind === 'http') return way.url;
  return [way.command, ...way.args].map(quoted).join(' ');
}

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : unhidden(JSON.stringify(word)));
