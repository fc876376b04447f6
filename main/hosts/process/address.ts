import { isLoopback } from '../../../shared/loopback';

/** A key goes to this machine, or to another one over TLS, and nowhere else. */
export function mayCarryKey(url: URL): boolean {
  return url.protocol === 'https:' || isLoopback(url);
}

/** Whether a name or a password stands in the address itself, where it would be shown and stored in clear. */
export function holdsPassword(url: URL): boolean {
  return url.username !== '' || url.password !== '';
}

const trim = (address: string): string => address.replace(/\/+$/, '');

/** Root of an OpenAI-compatible API: users give it with or without the version part. */
export function apiRoot(address: string): string {
  const root = trim(address);
  return /\/v\d+[a-z]*$/.test(root) ? root : `${root}/v1`;
}

/** The server's own root, where `/props`, `/tokenize` and Ollama's `/api` stand. */
export function serverRoot(address: string): string {
  return trim(address).replace(/\/v\d+[a-z]*$/, '');
}
