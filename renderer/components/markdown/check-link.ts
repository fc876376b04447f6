/** What a click on a link does. */
export type LinkVerdict =
  | { readonly kind: 'open'; readonly url: string }
  /** The words name another host than the address: the user decides with both before the eyes. */
  | { readonly kind: 'ask'; readonly url: string; readonly host: string }
  | { readonly kind: 'refused' };

const ALLOWED = new Set(['http:', 'https:', 'mailto:']);
const LOOKS_LIKE_ADDRESS = /^(?:https?:\/\/)?([\p{L}\d-]+(?:\.[\p{L}\d-]+)+)(?:[:/?#]|$)/u;

/**
 * Judges the address of a link in a text that a model wrote. Only web and mail addresses are ever opened, without
 * user name or password in them, and never silently when the words show another host than the one it leads to.
 */
export function checkLink(href: string | undefined, words: string): LinkVerdict {
  if (!href || !URL.canParse(href)) return { kind: 'refused' };
  const url = new URL(href);
  if (!ALLOWED.has(url.protocol)) return { kind: 'refused' };
  if (url.protocol === 'mailto:') return { kind: 'open', url: url.href };
  if (url.username !== '' || url.password !== '') return { kind: 'ask', url: url.href, host: url.host };
  const shown = LOOKS_LIKE_ADDRESS.exec(words.trim())?.[1]?.toLowerCase();
  if (shown !== undefined && plain(shown) !== plain(url.hostname))
    return { kind: 'ask', url: url.href, host: url.host };
  return { kind: 'open', url: url.href };
}

function plain(host: string): string {
  const bare = host.replace(/^www\./, '');
  return URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`).hostname : bare;
}
