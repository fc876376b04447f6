import { expect, it } from 'vitest';
import { checkLink } from './check-link';

it.each([
  ['https://example.com/a?b=c', 'here', 'open'],
  ['http://127.0.0.1:8080/', 'the page', 'open'],
  ['mailto:a@example.com', 'a@example.com', 'open'],
  ['https://www.example.com/', 'example.com', 'open'],
  ['https://example.com/long/path', 'https://example.com/long…', 'open'],
  ['https://example.com/', 'version 1.2', 'open'],
  ['https://evil.example/', 'https://bank.example/login', 'ask'],
  ['https://evil.example/', 'bank.example', 'ask'],
  ['https://bank.example@evil.example/', 'here', 'ask'],
  ['javascript:alert(1)', 'here', 'refused'],
  ['file:///etc/passwd', 'here', 'refused'],
  ['data:text/html,x', 'here', 'refused'],
  ['vbscript:x', 'here', 'refused'],
  ['palimpsest://open', 'here', 'refused'],
  ['/relative', 'here', 'refused'],
  [undefined, 'here', 'refused'],
] as const)('%s shown as %j: %s', (href, words, kind) => {
  expect(checkLink(href, words).kind).toBe(kind);
});

it('gives main an address that its own schema takes', () => {
  expect(checkLink('HTTPS://Example.com', 'x')).toEqual({ kind: 'open', url: 'https://example.com/' });
});
