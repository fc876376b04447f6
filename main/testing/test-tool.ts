import type { Tool } from '../tools/tool';

/** A tool whose every call is in the test's hands. */
export class TestTool implements Tool {
  readonly name: string;
  readonly description = 'A tool of a test.';
  readonly schema = { type: 'object', properties: {} };
  readonly approval = 'none';
  readonly quotes = false;
  readonly deadlineMs: number | null;
  /** Calls that were begun, in order. */
  readonly runs: {
    readonly args: Readonly<Record<string, unknown>>;
    readonly signal: AbortSignal;
    progress(line: string): void;
    resolve(text: string): void;
    reject(error: unknown): void;
  }[] = [];

  constructor(name = 'probe', deadlineMs: number | null = null) {
    this.name = name;
    this.deadlineMs = deadlineMs;
  }

  run(args: Readonly<Record<string, unknown>>, signal: AbortSignal, progress: (line: string) => void): Promise<string> {
    return new Promise((resolve, reject) => {
      this.runs.push({ args, signal, progress, resolve, reject });
    });
  }

  get last() {
    const run = this.runs.at(-1);
    if (!run) throw new Error('the tool was not called');
    return run;
  }
}
