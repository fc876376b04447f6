/** What comes into the anchor list, what of it costs what, and where what was lost is put back. A token is a character here. */
import { describe, expect, test } from 'vitest';
import type { PlacedAnchor } from './carriers';
import { restoreAnchors } from './receipt';
import { parseSections, renderSections } from './sections';

const anchor = (text: string, line = text, change: Partial<PlacedAnchor> = {}): PlacedAnchor => ({
  ...{ kind: 'identifier', text, line, seq: 1, earlier: [], weight: 20 },
  ...change,
});
const GOAL = '## Goal\n- move';
const check = (anchors: readonly PlacedAnchor[], summary: string, budgets: { list?: number; all?: number }) => {
  const { list: listBudget = 1_000, all: budget = 1_000 } = budgets;
  const count = (text: string) => text.length;
  const options = { budget, listBudget, struckLines: 0, aboveTarget: false, count };
  return restoreAnchors(parseSections(summary), anchors, options);
};
const listed = (anchors: readonly PlacedAnchor[], list: number, summary = GOAL): string[] =>
  check(anchors, summary, { list }).receipt.anchors.map(({ text }) => text);

describe('the list', () => {
  const LINE = 'never do x'; // 12 with its mark
  test('holds a line that costs all of its budget', () => {
    expect(listed([anchor('x', LINE)], 12)).toEqual(['x']);
    expect(listed([anchor('x', LINE)], 11)).toEqual([]);
  });

  test.each(['rule', 'correction'] as const)(
    'gives half of its budget to each %s and all others of its like',
    (kind) => {
      expect(listed([anchor(LINE, LINE, { kind })], 24)).toEqual([LINE]);
      expect(listed([anchor(LINE, LINE, { kind })], 23)).toEqual([]);
      const two = [anchor(LINE, LINE, { kind }), anchor('never do y', 'never do y', { kind, weight: 19 })];
      expect(listed(two, 47)).toEqual([LINE]);
      expect(listed(two, 48)).toHaveLength(2);
      // what exact strings have used of it is not taken from that half
      const strings = [anchor('db-01', 'at db-01', { weight: 30 }), anchor('db-02', 'at db-02', { weight: 29 })];
      expect(listed([...strings, anchor(LINE, LINE, { kind })], 32)).toEqual(['db-01', 'db-02', LINE]);
    },
  );

  const BOTH = 'a-1 with b-2';
  test('pays once for a line that holds two of it', () => {
    expect(listed([anchor('a-1', BOTH), anchor('b-2', BOTH)], 19)).toEqual(['a-1', 'b-2']);
  });
  test('pays for a line of which the summary holds another part', () => {
    const two = [anchor('a-1', BOTH, { weight: 30 }), anchor('b-2', BOTH)];
    expect(listed(two, 13, '## Facts\n- a-1 runs')).toEqual(['a-1']);
    expect(listed(two, 14, '## Facts\n- a-1 runs')).toEqual(['a-1', 'b-2']);
  });

  test('begins with what weighs more, less a little for the length of its line, in whichever order they come', () => {
    const heavy = anchor('db-01', `db-01 ${'-'.repeat(24)}`, { weight: 10 });
    const light = anchor('db-02', 'db-02 ----', { weight: 5 });
    expect(listed([heavy, light], 33)).toEqual(['db-01']);
    expect(listed([light, heavy], 33)).toEqual(['db-01']);
    const lighter = { ...heavy, weight: 6 };
    expect(listed([lighter, light], 33)).toEqual(['db-02']);
    expect(listed([light, lighter], 33)).toEqual(['db-02']);
  });
});

describe('the summary', () => {
  test('that lost nothing stays as it is', () => {
    const summary = '## Facts\n- the ticket\n- a-1 runs';
    const { sections, receipt } = check([anchor('a-1')], summary, {});
    expect(receipt).toMatchObject({ kept: 1, restored: 0, dropped: 0 });
    expect(sections).toEqual(parseSections(summary));
  });

  test('has what it lost behind the exact details that it has already', () => {
    const { sections } = check([anchor('a-1', 'a-1 runs', { seq: 7 })], `${GOAL}\n\n## Exact details\n- b-2 waits`, {});
    expect(sections).toEqual([
      { name: 'goal', lines: [{ text: 'move', sources: [] }] },
      {
        name: 'anchors',
        lines: [
          { text: 'b-2 waits', sources: [] },
          { text: 'a-1 runs', sources: [7] },
        ],
      },
    ]);
  });

  test.each([
    [10, 'restored', ['a-1 runs']],
    [9, 'restored', ['a-1']],
    [5, 'restored', ['a-1']],
    [4, 'dropped', undefined],
  ])('with room for %i has what it lost with the words around it, else bare, else not at all', (room, fate, lines) => {
    const own = renderSections(parseSections(GOAL)).length;
    const { sections, receipt } = check([anchor('a-1', 'a-1 runs')], GOAL, { all: own + room });
    expect(receipt.anchors).toMatchObject([{ text: 'a-1', fate }]);
    expect(sections.find(({ name }) => name === 'anchors')?.lines.map(({ text }) => text)).toEqual(lines);
  });
});
