/** Takes what the user entered as a secret out of what a server says. */
export type Mask = (text: string) => string;

/** Shorter values would be found by chance in any text. */
const LEAST_CHARS = 6;

export function maskFor(secrets: readonly (string | null)[]): Mask {
  const known = secrets.filter((one): one is string => one !== null && one.length >= LEAST_CHARS);
  // the longer first: one may begin with another
  known.sort((a, b) => b.length - a.length);
  return (text) => known.reduce((masked, secret) => masked.replaceAll(secret, '•••'), text);
}
