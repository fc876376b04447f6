import { describe, expect, test } from 'vitest';
import { type AttemptOutcome, failureKinds, type Strategy } from '../../shared/model/compression';
import type { SummaryId } from '../../shared/model/ids';
import type { AttemptState, Effect, Input, Phase, Proof, Step } from './attempt-state';
import { begin, step } from './machine';

const committed: AttemptOutcome = { kind: 'committed', summaryId: 1 as SummaryId };
const phases: Phase[] = [
  { at: 'waiting' },
  { at: 'acquiring' },
  { at: 'planning' },
  { at: 'pruning' },
  { at: 'summarizing', part: 1, parts: 3 },
  { at: 'summarizing', part: 3, parts: 3 },
  { at: 'switching' },
  { at: 'extracting' },
  { at: 'checking', strategy: 'summarize' },
  { at: 'checking', strategy: 'extract' },
  { at: 'saving', strategy: 'summarize' },
  { at: 'saving', strategy: null },
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
        .flatMap((holds) =>
          [true, false].flatMap((second) =>
            [true, false].map((ready) => ({ phase, proof, row, holds, failure: null, parts: 3, second, ready })),
          ),
        ),
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
  { in: 'pruned' },
  { in: 'pruned-short', parts: 3 },
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
  { in: 'supersede', by: 'newer' },
  { in: 'supersede', by: 'edit' },
  { in: 'lease-lost' },
  { in: 'stopped' },
  { in: 'grace-over' },
  { in: 'unseen' },
];

const doing = (effects: readonly Effect[]) => effects.map((effect) => effect.do);

describe('the whole product of states and inputs', () => {
  type One = { readonly state: AttemptState; readonly input: Input; readonly next: Step };
  /** Fails with the pair that broke the rule: words are made only then, there are thousands of pairs. */
  const holds = (rule: (one: One, effects: Effect['do'][]) => boolean) => {
    for (const state of states)
      for (const input of inputs) {
        const next = step(state, input);
        if (!rule({ state, input, next }, doing(next.effects))) expect.fail(JSON.stringify([state, input, next]));
      }
  };
  const ended = (state: AttemptState) => state.phase.at === 'ended';

  test('what a state does not hear changes nothing', () => {
    const ends = ['cancel', 'supersede', 'lease-lost', 'data-failed'];
    const heard: Record<Phase['at'], string[]> = {
      waiting: [...ends, 'row', 'slot-free', 'slot-wait-over'],
      acquiring: [...ends, 'row', 'acquired', 'held', 'kept', 'acquire-busy'],
      planning: [...ends, 'row', 'planned', 'nothing'],
      pruning: [...ends, 'row', 'pruned', 'pruned-short'],
      summarizing: [...ends, 'row', 'part-done', 'part-failed', 'model-busy', 'skip-model'],
      switching: [...ends, 'row', 'planned', 'part-failed', 'skip-model'],
      extracting: [...ends, 'row', 'extracted'],
      checking: [...ends, 'accepted', 'refused', 'no-gain'],
      saving: [...ends, 'committed', 'commit-failed', 'lease-passed', 'base-changed'],
      ended: ['acquired'],
    };
    const hears = ({ phase, proof, row }: AttemptState, input: Input): boolean => {
      if (input.in === 'stopped') return proof !== 'none';
      if (input.in === 'grace-over') return proof === 'stopping';
      if (input.in === 'unseen') return proof === 'killed';
      if (input.in === 'skip-model' && !row.includes('extract')) return false; // nothing would be left to try
      return heard[phase.at].includes(input.in);
    };
    holds(({ state, input, next }, effects) => hears(state, input) || (next.state === state && effects.length === 0));
  });

  test('an end is final, and told once', () => {
    holds(({ state, next }, effects) => {
      const told = effects.filter((effect) => effect === 'end').length;
      if (ended(state)) return told === 0 && next.state.phase === state.phase;
      return told === (ended(next.state) ? 1 : 0);
    });
  });

  test('the lease is let go exactly when the attempt has ended and nothing of it may still run', () => {
    holds(({ state, input, next }, effects) => {
      const releases = effects.includes('release');
      if (ended(state) && input.in === 'acquired') return releases;
      const lost = input.in === 'lease-lost' || input.in === 'lease-passed';
      if (releases !== (state.holds && !next.state.holds && !lost)) return false;
      if (releases) return ended(next.state) && next.state.proof === 'none';
      return !(next.state.holds && ended(next.state) && state !== next.state) || next.state.proof !== 'none';
    });
  });

  test('a commit is asked for only from an accepted check or proposal or by pruning, and no effect of work follows an end', () => {
    const work = ['acquire', 'plan', 'prune', 'open-part', 'extract', 'check', 'commit'] as const;
    holds(({ state, input, next }, effects) => {
      const proposal = state.ready && (input.in === 'acquired' || input.in === 'kept');
      const ready = input.in === 'accepted' || input.in === 'pruned' || proposal;
      if (effects.includes('commit') && !ready) return false;
      return !ended(next.state) || !work.some((effect) => effects.includes(effect));
    });
  });

  test('whoever ends in mid-stream stops the stream, the fence first unless the lease is lost', () => {
    holds(({ state, input, next }, effects) => {
      if (effects.includes('cancel-stream') && next.state.proof !== 'stopping') return false;
      const settled = input.in === 'part-failed' && input.stream === 'settled';
      if (state.phase.at !== 'summarizing' || !ended(next.state) || settled) return true;
      if (!effects.includes('cancel-stream')) return false;
      if (!effects.includes('cancel-fence')) return true;
      const fenceFirst = effects.indexOf('cancel-fence') < effects.indexOf('cancel-stream');
      return fenceFirst === (input.in !== 'lease-lost');
    });
  });

  test('I8 what is deferred arms no backoff', () => {
    holds(({ state, next }, effects) => {
      const { phase } = next.state;
      const deferred = !ended(state) && phase.at === 'ended' && phase.outcome.kind === 'deferred';
      return !deferred || !effects.includes('backoff');
    });
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
    second: false,
    ready: false,
    ...more,
  });
  const reading: Phase = { at: 'summarizing', part: 2, parts: 3 };

  test('a proposal that was accepted takes the lease and is saved: no plan, no stream, no backoff, whatever comes', () => {
    const first = begin([], false, false, true);
    expect(doing(first.effects)).toEqual(['acquire']);
    const saving = step(first.state, { in: 'acquired' });
    expect(doing(saving.effects)).toEqual(['commit']);
    expect(saving.state).toMatchObject({ holds: true, phase: { at: 'saving', strategy: null } });
    expect(step(first.state, { in: 'kept', adopt: true })).toEqual(saving);
    const seen = new Map([[JSON.stringify(first.state), first.state]]);
    const did = new Set<Effect['do']>();
    for (const state of seen.values())
      for (const input of inputs) {
        const next = step(state, input);
        for (const effect of next.effects) did.add(effect.do);
        seen.set(JSON.stringify(next.state), next.state);
      }
    expect([...did].sort()).toEqual(['cancel-fence', 'commit', 'end', 'release']);
    expect([...new Set([...seen.values()].map((state) => state.phase.at))]).toEqual(['acquiring', 'saving', 'ended']);
  });
  test('a place comes before the lease', () => {
    expect(doing(begin(['summarize'], true, false, false).effects)).toEqual([]);
    expect(doing(begin(['extract'], false, false, false).effects)).toEqual(['acquire']);
  });
  test('P13 P14 a stalled stream is cancelled, extract does not wait for its proof, a grace over kills', () => {
    const stalled = step(at(reading), { in: 'part-failed', failure: 'stalled', stream: 'running' });
    expect(stalled.state.phase.at).toBe('extracting');
    expect(doing(stalled.effects)).toEqual(['cancel-stream', 'backoff', 'extract']);
    expect(doing(step(stalled.state, { in: 'grace-over' }).effects)).toEqual(['kill']);
  });
  test('a second model begins after the proof that the first has stopped, and is tried once', () => {
    const stalled = step(at(reading, { second: true }), { in: 'part-failed', failure: 'stalled', stream: 'running' });
    expect(stalled.state.phase.at).toBe('switching');
    expect(doing(stalled.effects)).toEqual(['cancel-stream', 'backoff']);
    const proved = step(stalled.state, { in: 'stopped' });
    expect(doing(proved.effects)).toEqual(['switch']);
    const reads = step(proved.state, { in: 'planned', parts: 5 });
    expect(reads.state.phase).toEqual({ at: 'summarizing', part: 1, parts: 5 });
    const again = step(reads.state, { in: 'part-failed', failure: 'stalled', stream: 'running' });
    expect(again.state.phase.at).toBe('extracting');
  });
  test.each(failureKinds)('a second model after %s of the first', (failure) => {
    const after = step(at(reading, { second: true }), { in: 'part-failed', failure, stream: 'settled' });
    const worth = ['stalled', 'ceiling-exhausted', 'died'].includes(failure);
    expect(after.state.phase.at).toBe(worth ? 'switching' : 'extracting');
  });
  test('a first model whose end nobody sees keeps the second from being tried', () => {
    const lost = step(at({ at: 'switching' }, { proof: 'killed' }), { in: 'unseen' });
    expect(lost.state.phase.at).toBe('extracting');
    expect(doing(lost.effects)).toEqual(['write-off', 'extract']);
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
