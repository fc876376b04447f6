import { GOOD_SUMMARY } from '../engine';
import type { SimulatedStream } from '../simulated-host';
import type { StreamSays } from './action';

/** A summary that is larger than anything it may cover. */
const LONG_SUMMARY = `${GOOD_SUMMARY}\n${Array.from(
  { length: 200 },
  (_, i) => `- The words of the user matter${', again'.repeat(i)}.`,
).join('\n')}`;

/** What the server would have answered, had it been left to. */
export function goodAnswer(stream: SimulatedStream): string {
  return stream.job.kind === 'summary' ? GOOD_SUMMARY : 'an answer';
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
