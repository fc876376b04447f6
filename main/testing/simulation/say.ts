import { GOOD_SUMMARY } from '../engine';
import type { SimulatedStream } from '../simulated-host';
import type { TestRun } from '../test-tool';
import type { StreamSays, ToolSays } from './action';

/** A summary that is larger than anything it may cover. */
const LONG_SUMMARY = `${GOOD_SUMMARY}\n${Array.from(
  { length: 200 },
  (_, i) => `- The words of the user matter${', again'.repeat(i)}.`,
).join('\n')}`;

/** What the server would have answered, had it been left to. */
export function goodAnswer(stream: SimulatedStream): string {
  return stream.job.kind === 'summary' ? GOOD_SUMMARY : 'an answer';
}

/** A model calls nothing that it was not offered; what is no chat answers. */
function called(stream: SimulatedStream, calls: readonly (readonly [string, object])[]): void {
  const offered = stream.job.kind === 'chat' ? (stream.job.tools ?? []) : [];
  if (calls.every(([name]) => offered.some((tool) => tool.name === name))) stream.call(calls, 'let me look ');
  else stream.answer(goodAnswer(stream));
}

/** What a tool does next with the call that is in the test's hands. */
export function sayAsTool(run: TestRun, what: ToolSays): void {
  switch (what) {
    case 'line':
      return run.progress('half of it');
    case 'done':
      return run.resolve('a result');
    case 'long':
      return run.resolve('a long result '.repeat(900));
    case 'failed':
      return run.reject(new Error('no such place'));
    case 'timeout':
      return run.reject(new DOMException('stalled', 'TimeoutError'));
  }
}

/** What a model server does next, on a stream that is in the test's hands. */
export function say(stream: SimulatedStream, what: StreamSays): void {
  switch (what) {
    case 'text':
      return stream.emit({ t: 'text', text: 'some more words ' });
    case 'reading':
      return stream.emit({ t: 'phase', phase: 'reading', done: 1, of: 2 });
    case 'alive':
      return stream.emit({ t: 'alive' });
    case 'answer':
      return stream.answer(goodAnswer(stream));
    case 'long':
      return stream.answer(stream.job.kind === 'summary' ? LONG_SUMMARY : 'a long answer '.repeat(400));
    case 'empty':
      return stream.settle({ t: 'result', value: { text: '' }, finish: 'stop' });
    case 'cut':
      return stream.answer('half an ans', 'length');
    case 'call':
      return called(stream, [
        ['probe', {}],
        ['probe', { again: true }],
      ]);
    case 'recall':
      return called(stream, [['recall', { query: 'words number 3' }]]);
    case 'error':
      return stream.settle({
        t: 'failed',
        kind: 'died',
        cause: 'unreachable',
        name: 'Error',
        message: 'gone',
        fields: {},
      });
    case 'refused':
      return stream.answer('Error 500: internal server error');
    case 'overflow': {
      const fields = { needTokens: 9_000, windowTokens: 8_192 };
      return stream.settle({ t: 'failed', kind: 'refused', cause: 'overflow', name: 'Error', message: 'long', fields });
    }
    case 'timeout':
      return stream.dieOfTimeout();
    case 'exit':
      return stream.exit();
  }
}
