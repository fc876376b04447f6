import { expect, test } from 'vitest';
import { proxyIn } from './proxy-list';

test.each([
  ['DIRECT', null],
  ['', null],
  ['PROXY proxy.example:3128', 'http://proxy.example:3128'],
  ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128'],
  ['DIRECT; PROXY proxy.example:3128', null],
  ['HTTPS proxy.example:443', 'https://proxy.example:443'],
  ['SOCKS5 [::1]:1080; DIRECT', 'socks5h://[::1]:1080'],
  ['SOCKS proxy.example:1080', 'socks4://proxy.example:1080'],
  ['QUIC proxy.example:443; PROXY other.example:80', 'http://other.example:80'],
])('"%s" leads to %s', (list, proxy) => {
  expect(proxyIn(list)).toBe(proxy);
});
