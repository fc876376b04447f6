/** The user's hand on summaries that lie beside, within and across each other. */
import { describe, expect, test } from 'vitest';
import type { RollBackPreview, SummaryAuthor } from '../../shared/model/compression';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { getSummary, insertSummary, type Stub } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { marksOf } from './policy';

let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made) => {
  engine = made;
  session = engine.session(30); // messages 1 to 60
});

interface Row {
  readonly state?: 'active' | 'undone';
  readonly author?: Extract<SummaryAuthor, 'user' | 'import'>;
  readonly stubs?: readonly Stub[];
}
const row = (from: number, to: number, { state = 'active', author = 'import', stubs }: Row = {}): SummaryId =>
  engine.write((tx) =>
    insertSummary(tx, {
      ...{ ...session, coversFrom: from, coversTo: to, state, author, text: '- short', sections: [], receipt: null },
      ...{ kind: stubs ? 'stubs' : 'text', stubs: stubs ?? null, tokensBefore: 1_000, tokensAfter: 10, now: 1 },
      ...{ parentId: null, attemptId: null, epoch: null, strategy: null, model: null },
    }),
  );
/** Lines in the place of the first and the last message of the range. */
const lines = (from: number, to: number): SummaryId =>
  row(from, to, { stubs: [from, to].map((seq) => ({ seq, text: `[message ${seq}]` })) });

const undo = (id: SummaryId) => engine.summaries.undo(session.sessionId, id);
const redo = (...ids: SummaryId[]) => engine.summaries.redo(session.sessionId, ids);
const edit = (summaryId: SummaryId) => engine.summaries.edit({ ...session, summaryId, text: '- other words' });
const rollBack = (summaryId: SummaryId) => engine.summaries.rollBack({ ...session, summaryId });
const preview = (summaryId: SummaryId, how: 'undo' | 'roll-back' = 'undo') =>
  engine.summaries.preview({ ...session, summaryId, how });
const list = () => engine.summaries.list(session.branchId);
const shown = () => engine.shown(session.branchId).map((one) => one.id);
const state = (id: SummaryId) => getSummary(engine.db, id)?.state;
const noModel = () => Object.assign(engine.models, { facts: () => null });

/** Each deed, on rows of its own that it can be done to. */
const deeds: readonly [string, () => Promise<unknown>][] = [
  ['an edit', () => edit(row(1, 10))],
  ['an undo', () => undo(row(1, 10))],
  [
    'a roll back',
    () => {
      const older = row(1, 10);
      row(1, 20);
      return rollBack(older);
    },
  ],
  ['a redo', () => redo(row(1, 10, { state: 'undone' }))],
];

describe('each deed', () => {
  test.each(deeds)('is on disk when it is told (%s)', async (_name, deed) => {
    const FULL = 2;
    const synchronous = () => engine.db.pragma('synchronous', { simple: true });
    row(51, 52); // as its own rows are: in the plain way
    expect(synchronous()).not.toBe(FULL);
    await deed();
    expect(synchronous()).toBe(FULL);
  });

  test.each<[string, (id: SummaryId) => unknown]>([
    ['an edit', edit],
    ['an undo', undo],
    ['a roll back', rollBack],
    ['a redo', (id) => redo(id)],
    ['a preview', async (id) => preview(id)],
  ])('is refused where there is no such summary (%s)', async (_name, deed) => {
    await expect(deed(999 as SummaryId)).rejects.toMatchObject({ code: 'not-found', fields: { what: 'summary' } });
  });

  test('that finds nothing left to do says so', async () => {
    const older = row(1, 10);
    await undo(row(1, 20));
    const told = { code: 'already-ended' };
    await expect(undo(row(31, 40, { state: 'undone' }))).rejects.toMatchObject(told);
    await expect(redo(older)).rejects.toMatchObject(told);
    lines(11, 30); // newer, but nothing that a roll back undoes
    await expect(rollBack(older)).rejects.toMatchObject(told);
  });

  test.each<[string, (older: SummaryId, newer: SummaryId, undone: SummaryId) => Promise<unknown>]>([
    ['a roll back', rollBack],
    ['a redo', (_older, _newer, undone) => redo(undone)],
  ])('that changes what an attempt builds on ends it (%s)', async (_name, deed) => {
    const undone = row(1, 30, { state: 'undone' });
    const [older, newer] = [row(1, 10), row(1, 20)];
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    await deed(older, newer, undone);
    await engine.settle();
    expect(await attempt.outcome).toEqual({ kind: 'superseded', by: 'undo' });
  });
});

describe('beside other summaries', () => {
  test('one can be edited, and only it is another', async () => {
    const [first, second, third] = [row(1, 10), row(11, 20), row(21, 30)];
    expect(shown()).toEqual([first, second, third]);
    const edited = await edit(second);
    expect(shown()).toEqual([first, edited, third]);
  });

  test('one is edited where its chat has no model any more', async () => {
    const id = row(1, 10);
    noModel();
    const edited = await edit(id);
    expect(shown()).toEqual([edited]);
  });

  test('a roll back leaves the lines that stand in the place of messages', async () => {
    const older = row(1, 10);
    const [stubs, newer] = [lines(21, 30), row(1, 20)];
    expect(preview(older, 'roll-back').undoes).toEqual([newer]);
    expect(await rollBack(older)).toEqual([newer]);
    expect(state(stubs)).toBe('active');
  });

  test('a redo is refused where one of them overlaps what is used again, not where they lie beside it', async () => {
    const [apart, undone] = [row(41, 50), row(11, 30, { state: 'undone' })];
    row(1, 10);
    await redo(undone);
    expect(shown()).toHaveLength(3);
    await undo(undone);
    row(1, 20);
    await expect(redo(undone)).rejects.toMatchObject({ code: 'summaries-cross' });
    expect(state(undone)).toBe('undone');
    expect(shown()).toContain(apart);
  });

  test('lines in the place of messages are in no redo’s way', async () => {
    const undone = row(11, 30, { state: 'undone' });
    lines(21, 40);
    await redo(undone);
    expect(shown()).toEqual([undone]);
  });

  test('two that overlap each other are not used again together: neither is', async () => {
    const pair = [row(1, 20, { state: 'undone' }), row(11, 30, { state: 'undone' })];
    await expect(redo(...pair)).rejects.toMatchObject({ code: 'summaries-cross' });
    expect(pair.map(state)).toEqual(['undone', 'undone']);
  });
});

describe('what is said beforehand', () => {
  /** Three beside each other, an outer one around the middle, with older ones in it that begin and end with it or not. */
  const nested = () => {
    const [before, after] = [row(1, 8), row(51, 58)];
    const inner = [row(11, 14), row(21, 28), row(35, 40)];
    return { before, inner, after, outer: row(11, 40) };
  };

  test('of an undo tells of what that summary stands for, not of its neighbours', () => {
    const { outer, after, inner } = nested();
    expect(preview(outer)).toMatchObject({ undoes: [outer], older: 3, whole: 30 - (4 + 8 + 6) });
    expect(preview(after)).toMatchObject({ undoes: [after], older: 0, whole: 8 });
    for (const id of inner) expect(preview(id)).toMatchObject({ undoes: [id], older: 0, whole: 0 });
  });

  test('of a roll back tells of all that it undoes, wherever they lie', () => {
    const first = row(1, 4);
    row(21, 24);
    const oldest = row(41, 44);
    const [left, right] = [row(1, 10), row(21, 30)];
    expect(preview(oldest, 'roll-back')).toMatchObject({ undoes: [right, left], older: 2, whole: 2 * (10 - 4) });
    expect(preview(first, 'roll-back')).toMatchObject({ older: 1, whole: 10 - 4 + 10 + 4 });
  });

  test('of an undo of an edit is the old text again: no message more is sent', () => {
    row(1, 10);
    const edited = row(1, 10, { author: 'user' });
    expect(preview(edited)).toMatchObject({ older: 1, whole: 0, editedByUser: true });
  });

  test.each<['undo' | 'roll-back', 'user' | 'import', boolean]>([
    ['undo', 'user', true],
    ['undo', 'import', false],
    ['roll-back', 'user', false], // what is rolled back to stays in use
    ['roll-back', 'import', false],
  ])('of %s says whether it takes back what the user wrote (by %s)', (how, author, expected) => {
    const id = row(1, 10, { author });
    row(1, 20);
    expect(preview(id, how).editedByUser).toBe(expected);
  });

  test('has no counts where there is no model to count for', () => {
    const id = row(1, 10);
    noModel();
    const none = { tokensNow: null, tokensAfter: null, usable: null, fits: 'unknown' };
    expect(preview(id)).toMatchObject({ ...none, undoes: [id], whole: 10 });
  });

  test.each<[RollBackPreview['fits'], string, 'usable' | 'hard', number]>([
    ['too-large', 'one token more than there is room for', 'usable', -1],
    ['past-hard-mark', 'just as much as there is room for', 'usable', 0],
    ['past-hard-mark', 'just at the hard mark', 'hard', 0],
    ['fits', 'one token below the hard mark', 'hard', 1],
  ])('is “%s” for a request that would be %s', (fits, _name, mark, more) => {
    const id = row(1, 40);
    const tokens = preview(id).tokensAfter ?? 0;
    const windows = Array.from({ length: 4 * tokens }, (_, served) => served);
    const served = windows.find((one) => marksOf(one, null, 0)[mark] === tokens + more) ?? 0;
    engine.models.change({ window: { served, trained: null, source: 'server' } });
    expect(preview(id)).toMatchObject({ fits, tokensAfter: tokens, usable: marksOf(served, null, 0).usable });
  });
});

describe('the list of all summaries', () => {
  test('says what was undone, and counts as newer what is in use', () => {
    const oldest = row(1, 10);
    const undone = row(1, 20, { state: 'undone' });
    const inside = row(1, 20);
    const outer = row(1, 30);
    const last = row(31, 40, { state: 'undone' });
    expect(list().map(({ id, place, newer }) => [id, place, newer])).toEqual([
      [last, 'undone', 0],
      [outer, 'shown', 0],
      [inside, 'contained', 1],
      [undone, 'undone', 2],
      [oldest, 'contained', 2],
    ]);
  });

  test('is of the fifty newest', () => {
    const all = Array.from({ length: 51 }, () => row(1, 10));
    expect(list().map((one) => one.id)).toEqual(all.slice(1).reverse());
  });
});
