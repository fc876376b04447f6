const SCHEMES: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5h', // names are resolved there, as the system's own requests have it
};

/**
 * The first way of a list as proxy settings and scripts give it ("PROXY host:port; SOCKS5 host:port; DIRECT"), as an
 * address. null = straight.
 */
export function proxyIn(list: string): string | null {
  for (const way of list.split(';')) {
    const [kind = '', place] = way.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return null;
    const scheme = SCHEMES[kind.toUpperCase()];
    if (scheme && place) return `${scheme}://${place}`;
  }
  return null;
}
