/** Takes what the user entered as a secret out of what a server says. */
export type Mask = (text: string) => string;

/** Shorter values would be found by chance in any text. */
const LEAST_CHARS = 6;

export function maskFor(secrets: readonly (string | null)[]): Mask {
  const known = [...new Set(secrets.flatMap((one) => (one === null ? [] : formsOf(one))))];
  // the longer first: one may begin with another
  known.sort((a, b) => b.length - a.length);
  return (text) => known.reduce((masked, secret) => masked.replaceAll(secret, '•••'), text);
}

/** A secret whole, line by line (a key file is told so), and each as it stands within JSON. */
function formsOf(secret: string): readonly string[] {
  const plain = [secret, ...secret.split(/\r?\n/).map((line) => line.trim())];
  return plain.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]).filter((one) => one.length >= LEAST_CHARS);
}

/** Masks every string in a value of JSON, names of its fields too. The value must not be deep: see `isDeep`. */
export function maskParts(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((part) => maskParts(part, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [mask(name), maskParts(part, mask)]));
}
