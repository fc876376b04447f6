import { describe, expect, test } from 'vitest';
import { type AttemptOutcome, failureKinds, type Strategy } from '../../shared/model/compression';
import type { SummaryId } from '../../shared/model/ids';
import { type AttemptState, begin, type Effect, type Input, type Phase, type Proof, step } from './machine';

const committed: AttemptOutcome = { kind: 'committed', summaryId: 1 as SummaryId };
const phases: Phase[] = [
  { at: 'waiting' },
  { at: 'acquiring' },
  { at: 'planning' },
  { at: 'summarizing', part: 1, parts: 3 },
  { at: 'summarizing', part: 3, parts: 3 },
  { at: 'extracting' },
  { at: 'checking', strategy: 'summarize' },
  { at: 'checking', strategy: 'extract' },
  { at: 'saving', strategy: 'summarize' },
  { at: 'ended', outcome: { kind: 'cancelled', by: 'user' } },
  { at: 'ended', outcome: committed },
];
const proofs: Proof[] = ['none', 'stopping', 'killed', 'written-off'];
const rows: Strategy[][] = [
  [],
  ['summarize'],
  ['extract'],
  ['summarize', 'extract'],
  ['prune', 'summarize', 'extract'],
];
const states: AttemptState[] = phases.flatMap((phase) =>
  proofs.flatMap((proof) =>
    rows.flatMap((row) =>
      [true, false]
        .filter((holds) => !(holds && (phase.at === 'waiting' || phase.at === 'acquiring')))
        .map((holds) => ({ phase, proof, row, holds, failure: null, parts: 3 })),
    ),
  ),
);
const inputs: Input[] = [
  { in: 'slot-free' },
  { in: 'slot-wait-over', must: true },
  { in: 'slot-wait-over', must: false },
  { in: 'acquired' },
  { in: 'held', holder: 'x' },
  { in: 'kept', adopt: true },
  { in: 'kept', adopt: false },
  { in: 'acquire-busy' },
  { in: 'planned', parts: 3 },
  { in: 'nothing', reason: 'nothing-covered' },
  { in: 'nothing', reason: 'nothing-to-gain' },
  { in: 'part-done' },
  ...failureKinds.flatMap((failure): Input[] => [
    { in: 'part-failed', failure, stream: 'settled' },
    { in: 'part-failed', failure, stream: 'running' },
    { in: 'refused', failure },
  ]),
  { in: 'extracted' },
  { in: 'accepted' },
  { in: 'no-gain' },
  { in: 'committed', outcome: committed },
  { in: 'commit-failed' },
  { in: 'data-failed' },
  { in: 'lease-passed' },
  { in: 'base-changed', by: 'undo' },
  { in: 'skip-model' },
  { in: 'model-busy' },
  { in: 'row', row: ['summarize', 'extract'] },
  ...(['user', 'unwind', 'quit'] as const).flatMap((by): Input[] => [
    { in: 'cancel', by, outOfPatience: false },
    { in: 'cancel', by, outOfPatience: true },
  ]),
  { in: 'supersede' },
  { in: 'lease-lost' },
  { in: 'stopped' },
  { in: 'grace-over' },
  { in: 'unseen' },
];

const doing = (effects: readonly Effect[]) => effects.map((effect) => effect.do);

describe('the whole product of states and inputs', () => {
  const all = states.flatMap((state) => inputs.map((input) => ({ state, input, next: step(state, input) })));
  const name = (one: (typeof all)[number]) => JSON.stringify([one.state, one.input, one.next]);

  test('an end is final, and told once', () => {
    for (const one of all) {
      const ends = doing(one.next.effects).filter((effect) => effect === 'end').length;
      if (one.state.phase.at === 'ended') {
        expect(one.next.state.phase, name(one)).toEqual(one.state.phase);
        expect(ends, name(one)).toBe(0);
      } else expect(ends, name(one)).toBe(one.next.state.phase.at === 'ended' ? 1 : 0);
    }
  });

  test('the lease is let go exactly when the attempt has ended and nothing of it may still run', () => {
    for (const one of all) {
      const after = one.next.state;
      const releases = doing(one.next.effects).includes('release');
      const late = one.state.phase.at === 'ended' && one.input.in === 'acquired';
      const lost = one.input.in === 'lease-lost' || one.input.in === 'lease-passed';
      if (late) expect(releases, name(one)).toBe(true);
      else {
        const free = one.state.holds && !after.holds && !lost;
        const justTaken = !one.state.holds && one.state.phase.at === 'acquiring' && releases;
        expect(releases, name(one)).toBe(free || justTaken);
        if (releases) expect([after.phase.at, after.proof], name(one)).toEqual(['ended', 'none']);
        if (after.holds && after.phase.at === 'ended' && one.state !== after)
          expect(after.proof, name(one)).not.toBe('none');
      }
    }
  });

  test('a commit is asked for only from an accepted check, and no effect of work follows an end', () => {
    for (const one of all) {
      const effects = doing(one.next.effects);
      if (effects.includes('commit')) expect(one.input.in, name(one)).toBe('accepted');
      if (one.next.state.phase.at === 'ended')
        for (const work of ['acquire', 'plan', 'open-part', 'extract', 'check', 'commit'] as const)
          expect(effects, name(one)).not.toContain(work);
    }
  });

  test('whoever ends in mid-stream stops the stream, the fence first unless the lease is lost', () => {
    for (const one of all) {
      const effects = doing(one.next.effects);
      const wasReading = one.state.phase.at === 'summarizing';
      const settled = one.input.in === 'part-failed' && one.input.stream === 'settled';
      if (wasReading && one.next.state.phase.at === 'ended' && !settled) {
        expect(effects, name(one)).toContain('cancel-stream');
        if (effects.includes('cancel-fence')) {
          const fenceFirst = effects.indexOf('cancel-fence') < effects.indexOf('cancel-stream');
          expect(fenceFirst, name(one)).toBe(one.input.in !== 'lease-lost');
        }
      }
      if (effects.includes('cancel-stream')) expect(one.next.state.proof, name(one)).toBe('stopping');
    }
  });

  test('I8 what is deferred arms no backoff', () => {
    for (const one of all) {
      const { phase } = one.next.state;
      if (one.state.phase.at !== 'ended' && phase.at === 'ended' && phase.outcome.kind === 'deferred')
        expect(doing(one.next.effects), name(one)).not.toContain('backoff');
    }
  });
});

describe('single rows', () => {
  const at = (phase: Phase, more: Partial<AttemptState> = {}): AttemptState => ({
    phase,
    proof: 'none',
    row: ['extract'],
    holds: true,
    failure: null,
    parts: 3,
    ...more,
  });
  const reading: Phase = { at: 'summarizing', part: 2, parts: 3 };

  test('a place comes before the lease', () => {
    expect(doing(begin(['summarize'], true).effects)).toEqual([]);
    expect(doing(begin(['extract'], false).effects)).toEqual(['acquire']);
  });
  test('P13 P14 a stalled stream is cancelled, extract does not wait for its proof, a grace over kills', () => {
    const stalled = step(at(reading), { in: 'part-failed', failure: 'stalled', stream: 'running' });
    expect(stalled.state.phase.at).toBe('extracting');
    expect(doing(stalled.effects)).toEqual(['cancel-stream', 'backoff', 'extract']);
    expect(doing(step(stalled.state, { in: 'grace-over' }).effects)).toEqual(['kill']);
  });
  test('P16 the user’s stop is a failure only when the stream had run out of patience', () => {
    const stop = (outOfPatience: boolean) =>
      doing(step(at(reading), { in: 'cancel', by: 'user', outOfPatience }).effects);
    expect(stop(false)).not.toContain('backoff');
    expect(stop(true)).toContain('backoff');
  });
  test('P8 an acquire that is answered after a cancel lets go at once', () => {
    const cancelled = step(at({ at: 'acquiring' }, { holds: false }), {
      in: 'cancel',
      by: 'user',
      outOfPatience: false,
    });
    expect(doing(step(cancelled.state, { in: 'acquired' }).effects)).toEqual(['release']);
  });
  test('a kept lease is adopted for extract alone', () => {
    const kept = step(at({ at: 'acquiring' }, { holds: false, row: ['summarize', 'extract'] }), {
      in: 'kept',
      adopt: true,
    });
    expect(kept.state).toMatchObject({ holds: true, row: ['extract'], phase: { at: 'planning' } });
  });
  test('skipping the model keeps its chunks and arms nothing', () => {
    const skipped = step(at(reading), { in: 'skip-model' });
    expect(skipped.state.phase.at).toBe('extracting');
    expect(doing(skipped.effects)).toEqual(['cancel-stream', 'extract']);
  });
});
