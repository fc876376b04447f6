/** Arguments of a program as they are typed: one a line, or all as a JSON array, as the pages of tool servers show them. */
export function argumentsIn(typed: string): readonly string[] {
  return arrayIn(typed) ?? typed.split('\n').filter((line) => line !== '');
}

/** As they can be typed: lines, where those are read as the same arguments again. */
export function typedArguments(args: readonly string[]): string {
  const lines = args.join('\n');
  return JSON.stringify(argumentsIn(lines)) === JSON.stringify(args) ? lines : JSON.stringify(args);
}

/** True for what looks like several arguments in one line, where it is read as one. */
export function isOneForMany(typed: string): boolean {
  const args = argumentsIn(typed);
  return arrayIn(typed) === null && args.length === 1 && /^\s*-\S*\s+\S/.test(args[0] ?? '');
}

function arrayIn(typed: string): readonly string[] | null {
  if (!typed.trimStart().startsWith('[')) return null;
  try {
    const value: unknown = JSON.parse(typed);
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : null;
  } catch {
    return null;
  }
}
