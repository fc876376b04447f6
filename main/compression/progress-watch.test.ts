import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Job, StreamId } from '../hosts/protocol';
import type { StreamEvent } from '../hosts/stream-handle';
import { ManualClock } from '../testing/manual-clock';
import { SimulatedStream } from '../testing/simulated-host';
import { type Patience, ProgressWatch, type Verdict } from './progress-watch';

const job: Job = {
  kind: 'summary',
  target: { kind: 'openai', address: 'http://127.0.0.1:1', model: 'm', key: null },
  messages: [],
  maxTokens: 10,
};
type Said = Exclude<StreamEvent, { t: 'settled' }>;
const piece: Said = { t: 'text', text: 'x' };
const patience: Patience = { idleMs: () => 60_000, ceilingMs: 400_000, loadingCeilingMs: 600_000 };

describe('progress watch', () => {
  let clock: ManualClock;
  let stream: SimulatedStream;
  let verdicts: Verdict[];
  let watch: ProgressWatch;

  beforeEach(() => {
    clock = new ManualClock();
    stream = new SimulatedStream(1 as StreamId, job, (error) => {
      throw error;
    });
    verdicts = [];
    watch = watched(stream);
  });
  const watched = (one: SimulatedStream) =>
    new ProgressWatch(one, clock, patience, (verdict) => verdicts.push(verdict));
  const kinds = () => verdicts.map(({ kind }) => kind);
  /** Says this again and again, more often than patience asks for. */
  const goOn = (ms: number, say: (step: number) => Said) => {
    for (let step = 1; step <= ms / 10_000; step++) {
      clock.advance(10_000);
      stream.emit(say(step));
    }
  };
  afterEach(() => {
    watch.end();
    expect(clock.armed).toBe(0);
  });

  test('P1 a worker that dies of its own timeout error has failed at once, no timer has to elapse', () => {
    clock.advance(5_000);
    stream.dieOfTimeout();
    expect(kinds()).toEqual(['failed']);
    expect(verdicts[0]).toMatchObject({ failed: { name: 'TimeoutError', cause: 'timeout' } });
  });

  test('P2 a result that arrives in the moment between the timer and the judgement is the verdict', () => {
    const later = clock.nextTurn.bind(clock);
    clock.nextTurn = (judge) => {
      stream.answer('done'); // it was on its way when the timer fired
      later(judge);
    };
    clock.advance(60_000);
    expect(kinds()).toEqual(['finished']);
  });

  test('patience that starts anew in the moment between the timer and the judgement is not over', () => {
    clock.afterTimer = () => watch.restart(); // a beat that is due in the same turn has seen that the machine slept
    clock.advance(60_000);
    expect(verdicts).toEqual([]);
    clock.afterTimer = () => {};
    clock.advance(60_000);
    expect(kinds()).toEqual(['idle']);
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

  test.each<[string, Said]>([
    ['text', piece],
    ['reasoning', { t: 'text', text: 'x', thinking: true }],
    ['a call of a tool', { t: 'call', name: 'look', args: '{}' }],
    ['usage', { t: 'usage', output: 3 }],
    ['the next phase', { t: 'phase', phase: 'reading' }],
    ['the first count of a phase, although it is nought', { t: 'phase', phase: 'connecting', done: 0, of: 9 }],
  ])('%s is substance', (_name, said) => {
    clock.advance(59_000);
    stream.emit(said);
    expect(watch.idleForMs).toBe(0);
    clock.advance(59_000);
    expect(verdicts).toEqual([]);
    clock.advance(1_000);
    expect(kinds()).toEqual(['idle']);
  });

  test.each<[string, Said]>([
    ['a keep-alive', { t: 'alive' }],
    ['word of a pause', { t: 'paused' }],
    ['word of a pause that ended', { t: 'resumed' }],
    ['a list of tools', { t: 'tools', title: 'files', tools: [], leftOut: [] }],
    ['what a tool server logs', { t: 'stderr', lines: ['x'] }],
    ['what a tool is about', { t: 'progress', line: 'x' }],
    ['the same phase once more', { t: 'phase', phase: 'reading' }],
    ['a count that has not grown', { t: 'phase', phase: 'reading', done: 5, of: 9 }],
    ['a count that fell', { t: 'phase', phase: 'reading', done: 4, of: 9 }],
  ])('%s is no substance', (_name, said) => {
    stream.emit({ t: 'phase', phase: 'reading', done: 5, of: 9 });
    goOn(60_000, () => said);
    expect(kinds()).toEqual(['idle']);
  });

  test('while a model loads, that its server lives is substance; once it reads it is none', () => {
    stream.emit({ t: 'phase', phase: 'loading' });
    goOn(300_000, () => ({ t: 'alive' }));
    expect(verdicts).toEqual([]);
    stream.emit({ t: 'phase', phase: 'reading' });
    goOn(60_000, () => ({ t: 'alive' }));
    expect(kinds()).toEqual(['idle']);
  });

  test('a count that grows is substance, one that falls and comes back is not', () => {
    const reading = (done: number): Said => ({ t: 'phase', phase: 'reading', done, of: 99 });
    goOn(100_000, reading);
    expect(verdicts).toEqual([]);
    goOn(60_000, (step) => reading(step % 2 ? 3 : 10));
    expect(kinds()).toEqual(['idle']);
  });

  test('a phase without a count that is told again and again is no substance', () => {
    goOn(60_000, () => ({ t: 'phase', phase: 'connecting' }));
    expect(kinds()).toEqual(['idle']);
  });

  test('each phase counts anew', () => {
    stream.emit({ t: 'phase', phase: 'loading', done: 100, of: 100 });
    stream.emit({ t: 'phase', phase: 'reading' });
    clock.advance(59_000);
    stream.emit({ t: 'phase', phase: 'reading', done: 0, of: 4_000 });
    clock.advance(59_000);
    expect(verdicts).toEqual([]);
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

  describe('the ceiling', () => {
    const loading = (done: number): Said => ({ t: 'phase', phase: 'loading', done, of: 99 });
    const reading = (done: number): Said => ({ t: 'phase', phase: 'reading', done, of: 99 });

    test('of loading is its own, and reading starts a new one', () => {
      goOn(550_000, loading);
      expect(verdicts).toEqual([]);
      stream.emit(reading(0));
      goOn(390_000, reading);
      expect(verdicts).toEqual([]);
      goOn(10_000, reading);
      expect(kinds()).toEqual(['ceiling']);
    });

    test('of loading is the same for all of it', () => {
      stream.emit(loading(0));
      goOn(590_000, loading);
      expect(verdicts).toEqual([]);
      goOn(10_000, () => loading(99));
      expect(kinds()).toEqual(['ceiling']);
    });

    test('counts from the first piece of reading, also while it writes', () => {
      stream.emit(reading(0));
      goOn(200_000, reading);
      stream.emit({ t: 'phase', phase: 'writing' });
      goOn(190_000, () => piece);
      expect(verdicts).toEqual([]);
      goOn(10_000, () => piece);
      expect(kinds()).toEqual(['ceiling']);
    });

    test('of writing straight after loading is not what loading left of its own', () => {
      goOn(550_000, loading);
      stream.emit({ t: 'phase', phase: 'writing' });
      goOn(390_000, () => piece);
      expect(verdicts).toEqual([]);
      goOn(10_000, () => piece);
      expect(kinds()).toEqual(['ceiling']);
    });

    test('counts from the start where no phase is told at all', () => {
      goOn(390_000, () => piece);
      expect(verdicts).toEqual([]);
      goOn(10_000, () => piece);
      expect(kinds()).toEqual(['ceiling']);
    });
  });

  test('after sleep patience starts anew', () => {
    clock.advance(59_000);
    watch.restart();
    clock.advance(59_000);
    expect(verdicts).toEqual([]);
    clock.advance(1_000);
    expect(kinds()).toEqual(['idle']);
  });

  test('a paused stream cannot stall', () => {
    watch.pause();
    clock.advance(1_000_000);
    expect(verdicts).toEqual([]);
    watch.resume();
    clock.advance(60_000);
    expect(kinds()).toEqual(['idle']);
  });

  test('what comes during a pause is no start of patience', () => {
    watch.pause();
    stream.emit(piece);
    stream.emit({ t: 'phase', phase: 'writing' });
    watch.restart();
    expect(clock.armed).toBe(0);
  });

  test('a pause in the moment between the timer and the judgement is heeded', () => {
    clock.afterTimer = () => watch.pause();
    clock.advance(60_000);
    expect(verdicts).toEqual([]);
  });

  test('a stream that settles while it is paused has its verdict', () => {
    watch.pause();
    stream.answer('done');
    expect(kinds()).toEqual(['finished']);
  });

  test('a stream that was stopped ends the wait as cancelled', () => {
    stream.cancel('user');
    expect(verdicts).toEqual([{ kind: 'cancelled' }]);
  });

  test('a stream that had ended before it was watched is judged at once', () => {
    const ended = new SimulatedStream(2 as StreamId, job);
    ended.answer('done');
    watch.end();
    watched(ended);
    expect(kinds()).toEqual(['finished']);
    expect(clock.armed).toBe(0);
  });

  test('an end that nobody told of is found when the timer fires', () => {
    class Silent extends SimulatedStream {
      override on() {
        return () => {};
      }
    }
    const silent = new Silent(2 as StreamId, job);
    watch.end();
    watch = watched(silent);
    silent.answer('done');
    expect(verdicts).toEqual([]);
    clock.advance(60_000);
    expect(kinds()).toEqual(['finished']);
  });

  test('whoever hears a stream first may end the watch: it judges nothing then, and arms nothing', () => {
    for (const say of [() => stream.emit(piece), () => stream.exit()]) {
      watch.end();
      const stop = stream.on(() => watch.end());
      watch = watched(stream);
      say();
      stop();
      expect(clock.armed).toBe(0);
    }
    expect(verdicts).toEqual([]);
  });

  test('there is one verdict, and no patience begins after it', () => {
    clock.advance(60_000);
    watch.restart();
    watch.resume();
    stream.answer('late');
    expect(clock.armed).toBe(0);
    expect(kinds()).toEqual(['idle']);
  });

  test('it is out of patience from the moment the timer fires until it is judged', () => {
    const seen: boolean[] = [];
    const look = () => seen.push(watch.outOfPatience);
    clock.afterTimer = look;
    clock.advance(59_999);
    look();
    clock.advance(1);
    look();
    expect(seen).toEqual([false, true, false]);
  });

  test('it is not out of patience while it is paused', () => {
    clock.afterTimer = () => watch.pause();
    clock.advance(70_000);
    expect(watch.idleForMs).toBe(70_000);
    expect(watch.outOfPatience).toBe(false);
  });

  test.each([
    [2_000, ['idle']],
    [2_001, []],
    [-2_000, ['idle']],
    [-2_001, []],
  ])('clocks that drifted apart by %i ms before the timer fires lead to %j', (ms, verdict) => {
    clock.advance(30_000);
    clock.jumpWall(ms);
    clock.advance(30_000);
    expect(kinds()).toEqual(verdict);
  });
});
