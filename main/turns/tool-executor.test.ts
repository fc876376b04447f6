import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock';
import { TestTool } from '../testing/test-tool';
import { runTool, type ToolEnd } from './tool-executor';

const DEADLINE = 2_000;

function begin(deadlineMs: number | null) {
  const clock = new ManualClock();
  const tool = new TestTool('probe', deadlineMs);
  const abort = new AbortController();
  const lines: string[] = [];
  const seen: { end: ToolEnd | null } = { end: null };
  void runTool(tool, {}, { clock, signal: abort.signal, progress: (line) => lines.push(line) }).then((end) => {
    seen.end = end;
  });
  /** Lets what has arrived be handled; no time passes. */
  const settle = async () => {
    for (let i = 0; i < 4; i++) await new Promise<void>((resolve) => setImmediate(resolve));
    clock.turn();
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { clock, tool, abort, lines, seen, settle };
}

describe('the tool executor', () => {
  test.each([DEADLINE, null])(
    'P7 a tool that dies of a timeout error of its own ends the wait at once (deadline %s)',
    async (deadline) => {
      const { clock, tool, seen, settle } = begin(deadline);
      tool.last.reject(new DOMException('the stream stalled', 'TimeoutError'));
      await settle();
      expect(seen.end).toEqual({ kind: 'failed', name: 'TimeoutError', message: 'the stream stalled' });
      expect(clock.monotonic()).toBe(0);
      expect(clock.armed).toBe(0);
    },
  );

  test('P7 a success in the moment between the deadline and the check is returned', async () => {
    const { clock, tool, seen, settle } = begin(DEADLINE);
    clock.afterTimer = () => tool.last.resolve('in time after all');
    const turn = clock.turn.bind(clock);
    clock.turn = () => {}; // what has arrived is handled before the loop turns
    clock.advance(DEADLINE);
    await settle();
    clock.turn = turn;
    await settle();
    expect(seen.end).toEqual({ kind: 'done', text: 'in time after all' });
  });

  test('P7 a success in the moment of a cancel is returned', async () => {
    const { tool, abort, seen, settle } = begin(null);
    abort.abort();
    tool.last.resolve('done all the same');
    await settle();
    expect(seen.end).toEqual({ kind: 'done', text: 'done all the same' });
  });

  test('the deadline ends a tool that says nothing, and its signal tells it so', async () => {
    const { clock, tool, seen, settle } = begin(DEADLINE);
    clock.advance(DEADLINE - 1);
    await settle();
    expect(seen.end).toBeNull();
    clock.advance(1);
    await settle();
    expect(seen.end).toEqual({ kind: 'timed-out', afterMs: DEADLINE });
    expect(tool.last.signal.aborted).toBe(true);
  });

  test('a live tool without a deadline is waited for', async () => {
    const { clock, tool, lines, seen, settle } = begin(null);
    tool.last.progress('half of it');
    clock.advance(86_400_000);
    await settle();
    expect(seen.end).toBeNull();
    tool.last.resolve('at last');
    await settle();
    expect(seen.end).toEqual({ kind: 'done', text: 'at last' });
    expect(lines).toEqual(['half of it']);
  });

  test('a cancel is not held back by a tool that does not hear it, and what it does later is not heard', async () => {
    const { tool, abort, lines, seen, settle } = begin(null);
    abort.abort();
    await settle();
    expect(seen.end).toEqual({ kind: 'cancelled' });
    tool.last.progress('still here');
    tool.last.reject(new Error('late'));
    await settle();
    expect(seen.end).toEqual({ kind: 'cancelled' });
    expect(lines).toEqual([]);
  });

  test('a tool that throws before it answers with a promise has failed', async () => {
    const tool = new TestTool();
    tool.run = () => {
      throw new RangeError('no such place');
    };
    const end = await runTool(
      tool,
      {},
      { clock: new ManualClock(), signal: new AbortController().signal, progress: () => {} },
    );
    expect(end).toEqual({ kind: 'failed', name: 'RangeError', message: 'no such place' });
  });
});
