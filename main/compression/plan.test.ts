import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SummaryId } from '../../shared/model/ids';
import { keptTurns, planRange, type SizedMessage, turnsOf } from './plan';
import { shownSummaries } from './view';

const chat = (turns: number, tokens = 100): SizedMessage[] =>
  Array.from({ length: turns * 2 }, (_, i) => ({ seq: i + 1, role: i % 2 ? 'assistant' : 'user', tokens }));
const input = { base: null, usable: 4_000, keepTurns: 2, openTurn: false };

describe('the range', () => {
  test('ends at a turn’s end and leaves the last turns, as many as fit a quarter of the window', () => {
    expect(planRange({ ...input, live: chat(40) }, 1_600)).toMatchObject({
      kind: 'range',
      from: 1,
      cutoff: 70,
      readFrom: 1,
    });
  });
  test('a question that waits stays, however few turns are kept', () => {
    const live = [...chat(40), { seq: 81, role: 'user' as const, tokens: 3_000 }];
    expect(planRange({ ...input, keepTurns: 0, openTurn: true, live }, 1_600)).toMatchObject({ cutoff: 80 });
  });
  test('with nothing but protected turns there is nothing to cover', () => {
    expect(planRange({ ...input, live: chat(2, 3_000) }, 1_600)).toEqual({
      kind: 'nothing',
      reason: 'nothing-covered',
    });
  });
  test('a text by a model is built upon; what only an extract covers is read again', () => {
    const base = { id: 7 as SummaryId, coversTo: 20, tokens: 300, builtUpon: true };
    const live = chat(40).slice(20);
    expect(planRange({ ...input, base, live }, 1_600)).toMatchObject({
      from: 1,
      readFrom: 21,
      base: 7,
      buildsOnBase: true,
    });
    const again = { ...base, builtUpon: false };
    expect(planRange({ ...input, base: again, live }, 1_600)).toMatchObject({
      from: 1,
      readFrom: 1,
      buildsOnBase: false,
    });
    expect(planRange({ ...input, base: again, live: live.slice(-4) }, 1_600)).toMatchObject({
      cutoff: 20,
      readFrom: 1,
    });
    expect(planRange({ ...input, base, live: live.slice(-4) }, 1_600)).toEqual({
      kind: 'nothing',
      reason: 'nothing-covered',
    });
  });
  test('S42 no cut separates what answers a question from it', () => {
    const role = fc.constantFrom<SizedMessage['role']>('user', 'assistant', 'tool');
    const messages = fc
      .array(fc.record({ role, tokens: fc.integer({ min: 1, max: 2_000 }) }), { minLength: 1, maxLength: 60 })
      .map((all) => all.map((one, i) => ({ ...one, seq: i + 1, role: i === 0 ? ('user' as const) : one.role })));
    fc.assert(
      fc.property(messages, fc.nat(5), (live, keepTurns) => {
        const plan = planRange({ ...input, live, keepTurns }, 1_600);
        if (plan.kind === 'nothing') return;
        const next = live[plan.cutoff];
        expect(next === undefined || next.role === 'user').toBe(true);
        expect(turnsOf(live).length - turnsOf(live.slice(0, plan.cutoff)).length).toBeGreaterThanOrEqual(
          Math.min(keepTurns, turnsOf(live).length),
        );
        expect(keptTurns({ ...input, live, keepTurns }).flat().length).toBe(live.length - plan.cutoff);
      }),
    );
  });
});

test('the view takes the outermost summaries, of equal ranges the newest, in order', () => {
  const row = (id: number, coversFrom: number, coversTo: number, kind: 'text' | 'stubs' = 'text') => ({
    id,
    coversFrom,
    coversTo,
    kind,
  });
  const rows = [row(1, 1, 10), row(2, 1, 30), row(3, 40, 50), row(4, 40, 50), row(5, 1, 99, 'stubs')];
  expect(shownSummaries(rows).map(({ id }) => id)).toEqual([2, 4]);
  expect(shownSummaries(rows.filter(({ id }) => id !== 2 && id !== 4)).map(({ id }) => id)).toEqual([1, 3]);
});
