import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Job, StreamId } from '../hosts/protocol';
import { ManualClock } from '../testing/manual-clock';
import { SimulatedStream } from '../testing/simulated-host';
import { type Patience, ProgressWatch, type Verdict } from './progress-watch';

const job: Job = {
  kind: 'summary',
  target: { kind: 'openai', address: 'http://127.0.0.1:1', model: 'm', key: null },
  messages: [],
  maxTokens: 10,
};
const patience: Patience = { idleMs: () => 60_000, ceilingMs: 400_000, loadingCeilingMs: 600_000 };

describe('progress watch', () => {
  let clock: ManualClock;
  let stream: SimulatedStream;
  let verdicts: Verdict[];
  let watch: ProgressWatch;

  beforeEach(() => {
    clock = new ManualClock();
    stream = new SimulatedStream(1 as StreamId, job);
    verdicts = [];
    watch = new ProgressWatch(stream, clock, patience, (verdict) => verdicts.push(verdict));
  });
  afterEach(() => {
    watch.end();
    expect(clock.armed).toBe(0);
  });

  test('P1 a worker that dies of its own timeout error has failed at once, no timer has to elapse', () => {
    clock.advance(5_000);
    stream.dieOfTimeout();
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['failed']);
    expect(verdicts[0]).toMatchObject({ failed: { name: 'TimeoutError', cause: 'timeout' } });
  });

  test('P2 a result that arrives in the moment between the timer and the judgement is the verdict', () => {
    const later = clock.nextTurn.bind(clock);
    clock.nextTurn = (judge) => {
      stream.answer('done'); // it was on its way when the timer fired
      later(judge);
    };
    clock.advance(60_000);
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['finished']);
  });

  test('patience that starts anew in the moment between the timer and the judgement is not over', () => {
    clock.afterTimer = () => watch.restart(); // a beat that is due in the same turn has seen that the machine slept
    clock.advance(60_000);
    expect(verdicts).toEqual([]);
    clock.afterTimer = () => {};
    clock.advance(60_000);
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['idle']);
  });

  test('P2 cancelling a settled stream is a no-op', () => {
    stream.answer('done');
    stream.cancel('idle');
    expect(stream.cancels).toEqual([]);
  });

  test('P3 any other failure reaches the caller unchanged', () => {
    const failed = {
      t: 'failed',
      kind: 'refused',
      cause: 'http',
      name: 'Error',
      message: 'no',
      fields: { status: 403 },
    } as const;
    stream.settle(failed);
    expect(verdicts).toEqual([{ kind: 'failed', failed }]);
  });

  test('P4 a slow stream is waited for as long as it makes progress', () => {
    for (let i = 0; i < 6; i++) {
      clock.advance(59_000);
      stream.emit({ t: 'text', text: 'x' });
    }
    expect(verdicts).toEqual([]);
  });

  test('keep-alives are no substance', () => {
    for (let i = 0; i < 6; i++) {
      clock.advance(10_000);
      stream.emit({ t: 'alive' });
    }
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['idle']);
  });

  test('P5 a stream that dies ends the wait at once, also without any ceiling', () => {
    watch.end();
    watch = new ProgressWatch(
      stream,
      clock,
      {
        idleMs: () => Number.POSITIVE_INFINITY,
        ceilingMs: Number.POSITIVE_INFINITY,
        loadingCeilingMs: Number.POSITIVE_INFINITY,
      },
      (verdict) => verdicts.push(verdict),
    );
    stream.exit();
    expect(verdicts).toEqual([{ kind: 'exited' }]);
  });

  test('P15 with progress to the very end only the ceiling ends it', () => {
    stream.emit({ t: 'phase', phase: 'writing' });
    for (let i = 0; i < 450 && verdicts.length === 0; i++) {
      clock.advance(1_000);
      stream.emit({ t: 'text', text: 'x' });
    }
    expect(verdicts).toEqual([{ kind: 'ceiling' }]);
  });

  test('P15 a piece that arrives in the moment between the idle timer and the judgement is progress', () => {
    const later = clock.nextTurn.bind(clock);
    clock.nextTurn = (judge) => {
      stream.emit({ t: 'text', text: 'x' }); // last progress 0.0 s ago
      later(judge);
    };
    clock.advance(60_000);
    expect(verdicts).toEqual([]);
  });

  test('loading has a ceiling of its own, and reading starts a new one', () => {
    stream.emit({ t: 'phase', phase: 'loading' });
    for (let done = 1; done <= 11; done++) {
      clock.advance(50_000);
      stream.emit({ t: 'phase', phase: 'loading', done, of: 20 });
    }
    expect(verdicts).toEqual([]);
    stream.emit({ t: 'phase', phase: 'reading' });
    clock.advance(59_000);
    expect(verdicts).toEqual([]);
  });

  test('after sleep patience starts anew', () => {
    clock.advance(59_000);
    watch.restart();
    clock.advance(59_000);
    expect(verdicts).toEqual([]);
    clock.advance(1_000);
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['idle']);
  });

  test('a paused stream cannot stall', () => {
    watch.pause();
    clock.advance(1_000_000);
    expect(verdicts).toEqual([]);
    watch.resume();
    clock.advance(60_000);
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['idle']);
  });
});
