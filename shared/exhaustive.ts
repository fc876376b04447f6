/** Ends a switch over a closed union of our own: a member that was forgotten does not compile. */
export function assertNever(value: never): never {
  throw new Error(`unexpected member: ${JSON.stringify(value)}`);
}
