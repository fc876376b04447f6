/** One job of the tool host, as a tool's run: its text, its progress, its cancel. */

import type { ResultOf } from '../hosts/protocol';
import { isRefusal, type OpenRefusal, type StreamEnd, type StreamHandle } from '../hosts/stream-handle';
import { TOOL_CHANGED, TOOL_ERROR, type ToolJob } from '../hosts/tool-protocol';
import type { Clock } from '../lib/clock';
import { failureWords } from './failure-words';

export interface ToolHost {
  tool(job: ToolJob): StreamHandle | OpenRefusal;
}

/** What a model is told of a call whose tool, or whose server's start, is no longer what was allowed. */
export const CHANGED =
  'its server changed this tool after it was offered, so it was not called. The tool is offered anew as it is now.';

/** A cancel that is not answered within this is answered by the process's end. Milliseconds. */
const GRACE_MS = 5_000;

/**
 * Resolves with the result's text. Rejects with what the model is told where it came to nothing, and with an AbortError
 * once nothing of it runs any more after the signal was aborted.
 */
export async function runInHost(
  host: ToolHost,
  clock: Clock,
  job: ToolJob,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<string> {
  signal.throwIfAborted();
  const stream = host.tool(job);
  if (isRefusal(stream)) throw new Error('the app is about to end');
  let text = '';
  let disarm = () => {};
  const stop = () => {
    stream.cancel('user');
    disarm = clock.after(GRACE_MS, () => stream.kill());
  };
  signal.addEventListener('abort', stop, { once: true });
  const end = await new Promise<StreamEnd>((resolve) => {
    stream.on((event) => {
      if (event.t === 'text') text += event.text;
      else if (event.t === 'progress') progress(event.line);
      else if (event.t === 'settled') resolve(event.end);
    });
  });
  disarm();
  signal.removeEventListener('abort', stop);
  return textOf(end, text, signal);
}

function textOf(end: StreamEnd, text: string, signal: AbortSignal): string {
  switch (end.t) {
    case 'result':
      if ((end.value as ResultOf['tool-call']).failed) throw new Error(text);
      return text;
    case 'stopped':
      throw signal.reason ?? new DOMException('stopped', 'AbortError');
    case 'exited':
      throw new Error('the process that runs tools ended. Whether the call had an effect is unknown.');
    case 'failed':
      if (end.name === TOOL_CHANGED) throw new Error(CHANGED);
      throw new Error(end.name === TOOL_ERROR ? end.message : failureWords(end.name, end.fields, end.message));
  }
}
