// Progress lines and errors of the set-up. Everything below scripts/setup runs before `npm ci`, so it may
// import nothing but Node's own modules.

/** Something the reader can act on: printed without a stack. */
export class SetupError extends Error {}

export function say(text) {
  console.log(`[setup] ${text}`);
}

export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/** Runs the body of a command; an error ends the process with 1, in plain words where it is a SetupError. */
export async function command(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof SetupError ? `ERROR: ${error.message}` : (error?.stack ?? error));
    process.exitCode = 1;
  }
}
