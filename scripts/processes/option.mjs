/** The value of `--name VALUE` or `--name=VALUE`, or the fallback. */
export function option(name, fallback) {
  const at = process.argv.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
  if (at < 0) return fallback;
  return process.argv[at].includes('=') ? process.argv[at].split('=')[1] : process.argv[at + 1];
}
