import { describe, expect, test } from 'vitest';
import type { AttemptPhase, Strategy } from '../../shared/model/compression';
import type { BranchId, SessionId } from '../../shared/model/ids';
import { BUSY } from '../db/write-seam';
import type { StreamEvent } from '../hosts/stream-handle';
import { eachEngine } from '../testing/each-engine';
import { type Engine, GOOD_SUMMARY } from '../testing/engine';
import type { SimulatedStream } from '../testing/simulated-host';
import type { AttemptRun } from './attempt';
import type { Phase } from './attempt-state';
import type { Started } from './coordinator';

let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made) => {
  engine = made;
  session = engine.session(40, 800); // three chunks and their fold
});

const answer = async (text = GOOD_SUMMARY) => {
  engine.host.last.answer(text);
  await engine.settle();
};
/** What the card shows once it heard this of the running stream. */
const heard = (attempt: AttemptRun, event: Parameters<SimulatedStream['emit']>[0]) => {
  engine.host.last.emit(event);
  return attempt.view();
};
/** The card of the session's attempt in the step in which it comes to this phase. */
const comesTo = async (at: Phase['at']) => {
  for (let turn = 0; turn < 2_000; turn++) {
    const attempt = engine.coordinator.running(session.sessionId);
    if (attempt?.state.phase.at === at) return attempt.view();
    await Promise.resolve();
  }
  throw new Error(`it never came to ${at}`);
};

describe('the phase and the strategy', () => {
  const begins = (chosen: readonly Strategy[]) => () => engine.compress(session, 'manual', chosen);
  test.each<[Phase['at'], AttemptPhase, Strategy | null, () => Promise<Started>]>([
    [
      'waiting',
      'waiting',
      null,
      () => {
        for (let place = 0; place < 2; place++) engine.host.reserve(engine.models.facts().target);
        return begins(['summarize'])();
      },
    ],
    [
      'acquiring',
      'waiting',
      null,
      () => {
        engine.leases.tryAcquire = () => ({ kind: 'busy' });
        return begins(['summarize'])();
      },
    ],
    ['planning', 'reading', null, begins(['summarize'])],
    ['pruning', 'reading', 'prune', begins(['prune', 'extract'])],
    ['summarizing', 'connecting', 'summarize', begins(['summarize'])],
    ['extracting', 'reading', 'extract', begins(['extract'])],
    ['checking', 'checking', 'extract', begins(['extract'])],
    [
      'saving',
      'saving',
      'extract',
      () => {
        const tryWrite = engine.seam.tryWrite.bind(engine.seam);
        engine.seam.tryWrite = (fn, options) => {
          if (engine.coordinator.running(session.sessionId)?.state.phase.at !== 'saving') return tryWrite(fn, options);
          engine.seam.tryWrite = tryWrite; // it tries again, which takes time
          return BUSY;
        };
        return begins(['extract'])();
      },
    ],
  ])('of an attempt that is %s are shown as %s and %s', async (at, phase, strategy, begin) => {
    const begun = begin();
    expect(await comesTo(at)).toMatchObject({ phase, strategy });
    await begun;
  });

  test('are those of the stop of the first model, then those of the second', async () => {
    engine.secondModel = {
      ...engine.models.facts(),
      name: 'Second',
      ref: { ...engine.models.facts().ref, model: '2' },
    };
    const attempt = await engine.attempt(session);
    const shown = () => {
      const { phase, strategy, model } = attempt.view();
      return [phase, strategy, model];
    };
    const first = engine.host.last;
    first.onCancel = 'ignore';
    await engine.pass(31_000); // silent while connecting
    expect(shown()).toEqual(['stopping', 'summarize', 'Test model']);
    first.settle({ t: 'stopped' });
    expect(shown()).toEqual(['connecting', 'summarize', 'Second']);
    await engine.settle();
    await engine.answerAll();
    expect(shown()).toEqual(['ended', 'summarize', 'Second']);
  });

  test('a server that connects and loads says so, whatever part it is', async () => {
    const attempt = await engine.attempt(session);
    expect(attempt.view().phase).toBe('connecting');
    expect(heard(attempt, { t: 'phase', phase: 'loading' }).phase).toBe('loading');
    heard(attempt, { t: 'phase', phase: 'writing' });
    await answer();
    expect(attempt.view().phase).toBe('connecting');
  });

  test('a chunk is read until its notes are there, the last request writes, and parts never count backwards', async () => {
    const attempt = await engine.attempt(session);
    const seen: string[] = [];
    for (let request = 1; request <= 4; request++) {
      for (const phase of ['reading', 'writing'] as const) {
        const { phase: shown, chunksDone, chunks, chunkShare } = heard(attempt, { t: 'phase', phase });
        seen.push(`${shown} ${chunksDone + chunkShare} of ${chunks}`);
      }
      await answer();
    }
    expect((await attempt.outcome).kind).toBe('committed');
    expect(seen).toEqual([
      'reading 0 of 3',
      'reading 1 of 3',
      'reading 1 of 3',
      'reading 2 of 3',
      'reading 2 of 3',
      'reading 3 of 3',
      'writing 3 of 3',
      'writing 3 of 3',
    ]);
  });

  test('the only request of a short range is read and then written', async () => {
    const attempt = await engine.attempt(engine.session(8, 800), 'manual');
    const phases = (['reading', 'writing'] as const).map((phase) => heard(attempt, { t: 'phase', phase }).phase);
    expect(attempt.view().chunks).toBe(1);
    expect(phases).toEqual(['reading', 'writing']);
    await engine.answerAll();
  });
});

describe('what is shown', () => {
  test('nothing is known of an attempt that has only begun', async () => {
    engine.leases.tryAcquire = () => ({ kind: 'busy' });
    const attempt = await engine.attempt(session, 'manual');
    expect(attempt.view()).toEqual({
      ...session,
      id: attempt.spec.id,
      need: 'manual',
      trigger: 'button',
      strategy: null,
      phase: 'waiting',
      chunksDone: 0,
      chunks: 0,
      chunkShare: 0,
      reading: null,
      tokensToRead: 0,
      tokensRead: 0,
      tokensWritten: 0,
      model: null,
      noModel: null,
      newestLine: null,
      text: '',
      paused: false,
      turnWaits: false,
      elsewhere: false,
      startedAt: engine.clock.wall(),
      endedAt: null,
      outcome: null,
      tokensBefore: null,
      tokensAfter: null,
      tokensShown: null,
      pausedUntil: null,
    });
  });

  test('what was planned is shown while it runs, what came of it once it has ended', async () => {
    const attempt = await engine.attempt(session);
    const running = attempt.view();
    expect(running).toMatchObject({ tokensAfter: null, endedAt: null, outcome: null });
    expect(running.tokensBefore).toBeGreaterThan(10_000);
    expect(running.tokensShown).toBeGreaterThan(10_000);
    engine.clock.advance(5_000);
    await engine.answerAll();
    const [summary] = engine.shown(session.branchId);
    expect(attempt.view()).toMatchObject({
      tokensBefore: summary?.tokensBefore,
      tokensAfter: summary?.tokensAfter,
      tokensShown: running.tokensShown,
      endedAt: engine.clock.wall(),
      outcome: await attempt.outcome,
    });
  });

  test('that a turn waits for it', async () => {
    await engine.send(session, 'this does not fit');
    await engine.settle();
    expect(engine.coordinator.running(session.sessionId)?.view().turnWaits).toBe(true);
  });

  test('one that ends while it stands back for a chat is not shown as paused any more', async () => {
    engine.models.change({ target: { kind: 'embedded', path: '/models/test.gguf', askWindow: 8_192, threads: 2 } });
    await engine.send(engine.session(), 'a short question');
    await engine.settle();
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    expect(attempt.view().paused).toBe(true);
    attempt.cancel('user');
    expect(attempt.view()).toMatchObject({ phase: 'ended', paused: false, outcome: { kind: 'cancelled', by: 'user' } });
  });

  test('the newest line stays while a heading has none of its own', async () => {
    const attempt = await engine.attempt(session);
    const newest = (text: string) => heard(attempt, { t: 'text', text }).newestLine;
    expect(newest('## Goal\n- Talk')).toBeNull();
    expect(newest(' about things.\n\n## Decisions\n')).toEqual({ section: 'goal', text: 'Talk about things.' });
    expect(newest('- The first.\n- The sec')).toEqual({ section: 'decisions', text: 'The first.' });
  });

  test('the newest line is the one written last, in whatever order the sections come', async () => {
    const attempt = await engine.attempt(session);
    const text = '## Facts\n- The port is 8080.\n\n### Goal\n- Ship it.\n';
    expect(heard(attempt, { t: 'text', text }).newestLine).toEqual({ section: 'goal', text: 'Ship it.' });
  });

  test('the growing text is what was written last, without what the model thinks; each part begins anew', async () => {
    const attempt = await engine.attempt(session);
    expect(heard(attempt, { t: 'text', text: 'let me see', thinking: true }).text).toBe('');
    heard(attempt, { t: 'text', text: 'a'.repeat(15_000) });
    expect(heard(attempt, { t: 'text', text: 'b'.repeat(15_000) }).text).toBe('a'.repeat(5_000) + 'b'.repeat(15_000));
    await answer();
    expect(attempt.view().text).toBe('');
  });

  test('the last thing that went wrong is kept for the record, in part where it is long', async () => {
    engine.extractAllowed = false;
    const attempt = await engine.attempt(session);
    const message = `no room for it ${'x'.repeat(1_000)}`;
    engine.host.last.settle({ t: 'failed', kind: 'refused', cause: 'http', name: 'Error', message, fields: {} });
    await attempt.outcome;
    expect(engine.attempts(session.sessionId)[0]?.error).toBe(`Error: ${message}`.slice(0, 500));
  });
});

describe('how far it has come', () => {
  test('is what was read of the chunk, never less than before; a chunk that is written is read', async () => {
    const attempt = await engine.attempt(session);
    const [first, second] = attempt.candidate.run?.chunks ?? [];
    const read = (tokens = 0) => Math.round((first?.tokens ?? 0) * tokens);
    const shown = () => {
      const { chunkShare, tokensRead } = attempt.view();
      return [chunkShare, tokensRead];
    };
    expect(attempt.view().reading).toEqual({ from: first?.from, to: first?.to });
    expect(shown()).toEqual([0, 0]);
    for (const [done, of, share] of [
      [1, 4, 0.25],
      [3, 4, 0.75],
      [2, 4, 0.75], // told late
      [undefined, 4, 0.75],
      [4, undefined, 0.75],
      [4, 0, 0.75],
      [9, 4, 1],
    ] as const) {
      heard(attempt, {
        t: 'phase',
        phase: 'reading',
        ...(done === undefined ? {} : { done }),
        ...(of === undefined ? {} : { of }),
      });
      expect(shown(), `${done} of ${of}`).toEqual([share, read(share)]);
    }
    await answer();
    expect(attempt.view().reading).toEqual({ from: second?.from, to: second?.to });
    expect(shown()).toEqual([0, first?.tokens]);
    heard(attempt, { t: 'phase', phase: 'writing' });
    expect(shown()).toEqual([1, (first?.tokens ?? 0) + (second?.tokens ?? 0)]);
  });

  test('is the whole of the range while the notes are folded', async () => {
    const attempt = await engine.attempt(session);
    const chunks = attempt.candidate.run?.chunks ?? [];
    const all = chunks.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(attempt.view()).toMatchObject({ tokensToRead: all, tokensRead: 0 });
    for (let part = 1; part <= 3; part++) await answer();
    expect(attempt.view()).toMatchObject({ reading: null, chunkShare: 0, tokensToRead: all, tokensRead: all });
  });

  test('what models read and wrote is counted over all parts: as the server says, else by its size', async () => {
    const attempt = await engine.attempt(session);
    const [, second] = attempt.candidate.run?.chunks ?? [];
    heard(attempt, { t: 'text', text: 'abcd'.repeat(50) });
    heard(attempt, { t: 'usage', prompt: 1_000 });
    expect(attempt.progress.spent).toEqual({ read: 1_000, written: 50 });
    heard(attempt, { t: 'usage', output: 70 });
    expect(attempt.progress.spent).toEqual({ read: 1_000, written: 70 });
    engine.host.last.settle({ t: 'result', value: { text: 'x' }, finish: 'stop' });
    await engine.settle();
    expect(attempt.progress.spent).toEqual({ read: 1_000, written: 70 });
    heard(attempt, { t: 'text', text: 'abcd'.repeat(20) });
    const spent = { read: 1_000 + (second?.tokens ?? 0), written: 90 };
    expect(attempt.progress.spent).toEqual(spent);
    attempt.cancel('user');
    await attempt.outcome;
    expect(engine.attempts(session.sessionId)[0]).toMatchObject({ tokensRead: spent.read, tokensWritten: 90 });
  });

  test('who waits is patient anew for whatever comes of it, and not for a keep-alive or its end', async () => {
    const { progress } = await engine.attempt(session);
    const heard: readonly (readonly [StreamEvent, boolean])[] = [
      [{ t: 'text', text: 'x' }, true],
      [{ t: 'text', text: 'x', thinking: true }, true],
      [{ t: 'phase', phase: 'reading', done: 1, of: 2 }, true],
      [{ t: 'usage', prompt: 1 }, true],
      [{ t: 'call', name: 'tool', args: '{}' }, true],
      [{ t: 'paused' }, true],
      [{ t: 'resumed' }, true],
      [{ t: 'alive' }, false],
      [{ t: 'settled', end: { t: 'stopped' } }, false],
    ];
    for (const [event, substance] of heard) {
      const before = progress.lastSubstance;
      engine.clock.advance(1_000);
      progress.heard(event);
      expect(progress.lastSubstance, event.t).toBe(substance ? engine.clock.monotonic() : before);
    }
  });

  test('who waits is patient anew after sleep, and with each part', async () => {
    const attempt = await engine.attempt(session);
    engine.clock.advance(1_000);
    engine.coordinator.slept();
    expect(attempt.progress.lastSubstance).toBe(1_000);
    engine.clock.advance(1_000);
    await answer();
    expect(attempt.progress.lastSubstance).toBe(2_000);
  });
});

describe('telling', () => {
  const told = () => engine.published.filter((what) => what === 'attempt').length;

  test('all that changes within a tenth of a second is told once, and the next change again', async () => {
    const attempt = await engine.attempt(session);
    await engine.pass(1_000);
    const before = told();
    for (let word = 0; word < 5; word++) heard(attempt, { t: 'text', text: 'x' });
    expect(told()).toBe(before);
    engine.clock.advance(99);
    expect(told()).toBe(before);
    engine.clock.advance(1);
    expect(told()).toBe(before + 1);
    heard(attempt, { t: 'call', name: 'tool', args: '{}' });
    engine.clock.advance(100);
    expect(told()).toBe(before + 2);
    heard(attempt, { t: 'alive' });
    engine.clock.advance(100);
    expect(told()).toBe(before + 2);
  });

  test('after its end an attempt tells nothing more: the database may be closed by then', async () => {
    const attempt = await engine.attempt(session);
    await engine.coordinator.quit();
    expect((await attempt.outcome).kind).toBe('cancelled');
    const before = engine.published.length;
    await engine.pass(1_000);
    expect(engine.published).toHaveLength(before);
  });
});
