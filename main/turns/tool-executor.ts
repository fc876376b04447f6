/**
 * Runs one tool to its end (P7). It waits on events, never in a loop: the tool's own end, its deadline, a cancel. What
 * the tool dies of is its own, a `TimeoutError` too: only this side's timer makes a `timed-out`. Settled wins: an end
 * that came in the same turn of the loop as the timer or the cancel is the end.
 */
import type { Clock } from '../lib/clock';
import type { Tool } from '../tools/tool';

export type ToolEnd =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string }
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  | { readonly kind: 'cancelled' };

/** A tool that goes on after its end was told does so unheard; its signal says that nobody waits. */
export function runTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  run: { readonly clock: Clock; readonly signal: AbortSignal; progress(line: string): void },
): Promise<ToolEnd> {
  const { clock, signal } = run;
  const abort = new AbortController();
  return new Promise((resolve) => {
    let over = false;
    const finish = (end: ToolEnd) => {
      if (over) return;
      over = true;
      disarm();
      signal.removeEventListener('abort', cancel);
      resolve(end);
    };
    /** The loop turns once more before this side judges: what has arrived by then counts. */
    const judge = (end: ToolEnd) =>
      clock.nextTurn(() => {
        if (!over) abort.abort();
        finish(end);
      });
    const cancel = () => judge({ kind: 'cancelled' });
    const { deadlineMs } = tool;
    const disarm =
      deadlineMs === null ? () => {} : clock.after(deadlineMs, () => judge({ kind: 'timed-out', afterMs: deadlineMs }));
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    start(() => tool.run(args, abort.signal, (line) => over || run.progress(line))).then(
      (text) => finish({ kind: 'done', text }),
      (error: unknown) => finish({ kind: 'failed', ...told(error) }),
    );
  });
}

/** A tool that throws before it answers with a promise has died like any other. */
async function start(fn: () => Promise<string>): Promise<string> {
  return await fn();
}

function told(error: unknown): { name: string; message: string } {
  if (error instanceof Error || error instanceof DOMException) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}
