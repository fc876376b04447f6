import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SummaryId } from '../../shared/model/ids';
import {
  groupsOf,
  keptGroups,
  type PlanInput,
  planRange,
  protectedMessages,
  type ShownSummary,
  type SizedMessage,
  turnsOf,
} from './plan';
import { shownSummaries } from './view';

const chat = (turns: number, tokens = 100): SizedMessage[] =>
  Array.from({ length: turns * 2 }, (_, i) => ({ seq: i + 1, role: i % 2 ? 'assistant' : 'user', tokens }));
const input = { shown: [], pins: [], usable: 4_000, keepTurns: 2, openTurn: false, chosen: null };
const summary = (id: number, coversFrom: number, coversTo: number, builtUpon = true): ShownSummary => ({
  id: id as SummaryId,
  coversFrom,
  coversTo,
  tokens: 300,
  builtUpon,
});

describe('turns', () => {
  const roles: SizedMessage['role'][] = ['assistant', 'tool', 'user', 'tool', 'assistant', 'user', 'user', 'assistant'];
  const live = roles.map((role, i): SizedMessage => ({ seq: i + 1, role, tokens: 1 }));
  const numbers = (some: readonly SizedMessage[]) => some.map(({ seq }) => seq);

  test('begin at each user message; what stands before the first one is a turn too', () => {
    expect(turnsOf(live).map(numbers)).toEqual([[1, 2], [3, 4, 5], [6], [7, 8]]);
  });
  test.each([
    [0, false, []],
    [0, true, [7, 8]],
    [1, true, [7, 8]],
    [2, false, [6, 7, 8]],
    [9, false, [1, 2, 3, 4, 5, 6, 7, 8]],
  ])('the newest %i are protected, and the one that waits (%s) in any case', (keepTurns, openTurn, kept) => {
    expect(numbers(protectedMessages({ live, keepTurns, openTurn }))).toEqual(kept);
  });
});

describe('the range', () => {
  test('ends at a turn’s end and leaves the last turns, as many as fit a quarter of the window', () => {
    expect(planRange({ ...input, messages: chat(40) }, 1_600)).toMatchObject({
      kind: 'range',
      from: 1,
      cutoff: 70,
      readFrom: 1,
    });
  });
  test('a question that waits stays, however few turns are kept', () => {
    const messages = [...chat(40), { seq: 81, role: 'user' as const, tokens: 3_000 }];
    expect(planRange({ ...input, keepTurns: 0, openTurn: true, messages }, 1_600)).toMatchObject({ cutoff: 80 });
  });
  test('with nothing but protected turns there is nothing to cover', () => {
    expect(planRange({ ...input, messages: chat(2, 3_000) }, 1_600)).toEqual({
      kind: 'nothing',
      reason: 'nothing-covered',
    });
  });
  test('of an empty chat is none', () => {
    expect(planRange({ ...input, messages: [] }, 1_600)).toEqual({ kind: 'nothing', reason: 'nothing-covered' });
  });
  test('a summary is none of the turns that are kept', () => {
    const shown = [{ ...summary(8, 61, 78), tokens: 900 }];
    expect(planRange({ ...input, shown, messages: chat(40) }, 1_600)).toMatchObject({ cutoff: 58 });
  });
  test('is worth a summary only where what is sent for it now, the summary so far included, is more than the least one', () => {
    const turn = (tokens: number) => {
      const messages = chat(3, 3_000).map((one) => (one.seq > 2 ? one : { ...one, tokens }));
      return planRange({ ...input, messages }, 1_600).kind;
    };
    expect([turn(100), turn(101)]).toEqual(['nothing', 'range']);
    const small = [{ ...summary(7, 1, 2), tokens: 150 }];
    const after = (tokens: number) => {
      const messages = chat(4, 3_000).map((one) => (one.seq > 4 ? one : { ...one, tokens }));
      return planRange({ ...input, messages, shown: small }, 1_600).kind;
    };
    expect([after(25), after(26)]).toEqual(['nothing', 'range']);
  });
  test('is above the target where what stays and the new summary are more, and is not where they are just as much', () => {
    // five turns of 200 stay, and a summary of 400
    expect(planRange({ ...input, messages: chat(40) }, 1_400)).toMatchObject({ aboveTarget: false });
    expect(planRange({ ...input, messages: chat(40) }, 1_399)).toMatchObject({ aboveTarget: true });
    // nothing but what an extract covers is read again: how much stays was decided before
    const shown = [summary(7, 1, 20, false)];
    expect(planRange({ ...input, shown, messages: chat(12) }, 0)).toMatchObject({ cutoff: 20, aboveTarget: false });
  });
  test('a text by a model is built upon; what only an extract covers is read again', () => {
    const messages = chat(40);
    expect(planRange({ ...input, shown: [summary(7, 1, 20)], messages }, 1_600)).toMatchObject({
      from: 1,
      readFrom: 21,
      base: 7,
      buildsOnBase: true,
      shown: [7],
    });
    expect(planRange({ ...input, shown: [summary(7, 1, 20, false)], messages }, 1_600)).toMatchObject({
      from: 1,
      readFrom: 1,
      base: 7,
      buildsOnBase: false,
      shown: [7],
    });
    const short = chat(12);
    expect(planRange({ ...input, shown: [summary(7, 1, 20, false)], messages: short }, 1_600)).toMatchObject({
      cutoff: 20,
      readFrom: 1,
    });
    expect(planRange({ ...input, shown: [summary(7, 1, 20)], messages: short }, 1_600)).toEqual({
      kind: 'nothing',
      reason: 'nothing-covered',
    });
  });
  test('a summary of a chosen range in the middle is taken in whole: its text is read, an extract’s originals are', () => {
    const messages = chat(40);
    const shown = [summary(7, 1, 20), summary(8, 31, 40), summary(9, 51, 60, false)];
    expect(planRange({ ...input, shown, messages }, 1_600)).toMatchObject({
      from: 1,
      cutoff: 70,
      readFrom: 21,
      base: 7,
      readAsText: [8],
      shown: [7, 8, 9],
    });
    // its text counts in the tail, not what it covers, and no cut goes through it
    const late = [summary(8, 61, 78)];
    expect(planRange({ ...input, shown: late, messages }, 1_600)).toMatchObject({ cutoff: 56, shown: [] });
    expect(
      planRange({ ...input, keepTurns: 1, shown: [{ ...summary(8, 61, 78), tokens: 900 }], messages }, 1_600),
    ).toMatchObject({
      cutoff: 78,
      shown: [8],
    });
  });
  test('what is pinned stays after the compression: too much of it is above the target, and covering it gains nothing', () => {
    const messages = chat(40);
    const pins = [{ seq: 2, tokens: 600 }];
    expect(planRange({ ...input, messages }, 1_600)).toMatchObject({ aboveTarget: false });
    expect(planRange({ ...input, messages, pins }, 1_600)).toMatchObject({ aboveTarget: true });
    // a pin in a turn that stays costs nothing more, however large it is
    expect(planRange({ ...input, messages, pins: [{ seq: 80, tokens: 60_000 }] }, 1_600)).toMatchObject({
      cutoff: 70,
      aboveTarget: false,
    });
    const all = messages.map(({ seq }) => ({ seq, tokens: 99 }));
    expect(planRange({ ...input, messages, pins: all }, 1_600)).toEqual({ kind: 'nothing', reason: 'nothing-to-gain' });
    const chosen = { from: 11, to: 20 };
    expect(planRange({ ...input, messages, chosen }, 1_600)).toMatchObject({ from: 11, cutoff: 20 });
    expect(planRange({ ...input, messages, pins: all, chosen }, 1_600)).toMatchObject({ reason: 'nothing-to-gain' });
  });
  test('S42 no cut separates what answers a question from it', () => {
    const role = fc.constantFrom<SizedMessage['role']>('user', 'assistant', 'tool');
    const messages = fc
      .array(fc.record({ role, tokens: fc.integer({ min: 1, max: 2_000 }) }), { minLength: 1, maxLength: 60 })
      .map((all) => all.map((one, i) => ({ ...one, seq: i + 1, role: i === 0 ? ('user' as const) : one.role })));
    const chosen = fc.option(fc.record({ from: fc.integer({ min: 1, max: 60 }), to: fc.integer({ min: 1, max: 60 }) }));
    fc.assert(
      fc.property(messages, fc.nat(5), chosen, (all, keepTurns, range) => {
        const plan = planRange({ ...input, messages: all, keepTurns, chosen: range }, 1_600);
        if (plan.kind === 'nothing') return;
        const next = all[plan.cutoff];
        expect(next === undefined || next.role === 'user').toBe(true);
        expect(all[plan.from - 1]?.role).toBe('user');
        if (range) return;
        expect(turnsOf(all).length - turnsOf(all.slice(0, plan.cutoff)).length).toBeGreaterThanOrEqual(
          Math.min(keepTurns, turnsOf(all).length),
        );
        const kept = keptGroups(groupsOf(all, []), { ...input, keepTurns });
        expect(kept.length === 0 ? all.length : (kept[0]?.from ?? 0) - 1).toBe(plan.cutoff);
      }),
    );
  });
});

describe('a chosen range', () => {
  const plan = (from: number, to: number, more: Partial<PlanInput> = {}) =>
    planRange({ ...input, messages: chat(40), ...more, chosen: { from, to } }, 1_600);

  test('is widened to whole turns, and may begin and end anywhere, kept turns included', () => {
    expect(plan(24, 31)).toEqual({
      kind: 'range',
      from: 23,
      cutoff: 32,
      readFrom: 23,
      base: null,
      buildsOnBase: false,
      readAsText: [],
      shown: [],
      aboveTarget: false,
    });
    expect(plan(70, 999)).toMatchObject({ from: 69, cutoff: 80 });
  });
  test('is widened to the union with a summary that it crosses, and takes in one that it holds', () => {
    const shown = [summary(7, 1, 20), summary(8, 31, 40), summary(9, 51, 60, false)];
    expect(plan(16, 35, { shown })).toMatchObject({
      from: 1,
      cutoff: 40,
      base: 7,
      readFrom: 21,
      readAsText: [8],
      shown: [7, 8],
    });
    expect(plan(51, 64, { shown })).toMatchObject({ from: 51, cutoff: 64, base: 9, buildsOnBase: false, readFrom: 51 });
  });
  test('inside what a summary covers is refused with that reason', () => {
    const shown = [summary(7, 1, 20)];
    expect(plan(3, 8, { shown })).toEqual({ kind: 'nothing', reason: 'inside-summary' });
    expect(plan(1, 20, { shown })).toEqual({ kind: 'nothing', reason: 'inside-summary' });
  });
  test('never takes the question that waits for its answer', () => {
    const messages = [...chat(40), { seq: 81, role: 'user' as const, tokens: 100 }];
    expect(plan(71, 81, { messages, openTurn: true })).toMatchObject({ from: 71, cutoff: 80 });
    expect(plan(81, 81, { messages, openTurn: true })).toEqual({ kind: 'nothing', reason: 'nothing-covered' });
  });
  test('never takes the newest turn while one waits, though a summary stands behind it, nor that summary', () => {
    const shown = [summary(7, 1, 20), summary(8, 79, 80)];
    expect(plan(71, 80, { shown, openTurn: true })).toMatchObject({ from: 71, cutoff: 76 });
    expect(plan(71, 80, { shown })).toMatchObject({ from: 71, cutoff: 80 });
  });
  test('that is hardly larger than a summary is not worth one', () => {
    expect(plan(1, 2)).toEqual({ kind: 'nothing', reason: 'nothing-to-gain' });
    const messages = chat(40, 300);
    expect(plan(1, 2, { messages })).toMatchObject({ kind: 'range', cutoff: 2 });
    // what is pinned is sent in any case
    expect(plan(1, 2, { messages, pins: [{ seq: 2, tokens: 400 }] })).toMatchObject({ reason: 'nothing-to-gain' });
    expect(plan(1, 2, { messages, pins: [{ seq: 3, tokens: 400 }] })).toMatchObject({ kind: 'range' });
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
  // on a path where another branch’s summary crosses one, both show: nothing is left uncovered between them
  expect(shownSummaries([row(6, 1, 25), row(7, 20, 40)]).map(({ id }) => id)).toEqual([6, 7]);
});
