import type { Approval, Tool } from '../tools/tool';

/** One call of a test's tool. */
export interface TestRun {
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  progress(line: string): void;
  resolve(text: string): void;
  reject(error: unknown): void;
}

/** A tool whose every call is in the test's hands. */
export class TestTool implements Tool {
  readonly name: string;
  readonly description = 'A tool of a test.';
  readonly schema = { type: 'object', properties: {} };
  readonly approval: 'none' | Approval;
  readonly quotes = false;
  readonly deadlineMs: number | null;
  /** Calls that were begun, in order. */
  readonly runs: TestRun[] = [];
  readonly #open = new Set<TestRun>();

  constructor(name = 'probe', deadlineMs: number | null = null, approval: 'none' | Approval = 'none') {
    this.name = name;
    this.deadlineMs = deadlineMs;
    this.approval = approval;
  }

  run(args: Readonly<Record<string, unknown>>, signal: AbortSignal, progress: (line: string) => void): Promise<string> {
    return new Promise((resolve, reject) => {
      const end =
        <T>(fn: (value: T) => void) =>
        (value: T) => {
          this.#open.delete(run);
          fn(value);
        };
      const run: TestRun = { args, signal, progress, resolve: end(resolve), reject: end(reject) };
      this.runs.push(run);
      this.#open.add(run);
    });
  }

  get last(): TestRun {
    const run = this.runs.at(-1);
    if (!run) throw new Error('the tool was not called');
    return run;
  }
  /** The newest call that has not ended, whoever still waits for it; null = there is none. */
  get open(): TestRun | null {
    return [...this.#open].at(-1) ?? null;
  }
}
