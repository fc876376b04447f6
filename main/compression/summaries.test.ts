import { describe, expect, test } from 'vitest';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { insertFork } from '../db/branches-table';
import { getSummary } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import { Engine, GOOD_SUMMARY } from '../testing/engine';
import type { TempProfile } from '../testing/profile';

describe('the user’s hand on summaries', () => {
  let profile: TempProfile;
  let engine: Engine;
  let session: { sessionId: SessionId; branchId: BranchId };
  eachEngine((made, at) => {
    engine = made;
    profile = at;
    session = engine.session(20, 800);
  });

  /** Covers as much as the rules say, or a range. Answers the summary. */
  const cover = async (range: { from: number; to: number } | null = null): Promise<SummaryId> => {
    const attempt = await engine.attempt(session, 'manual', ['summarize'], range);
    await engine.answerAll();
    const outcome = await attempt.outcome;
    if (outcome.kind !== 'committed') throw new Error(JSON.stringify(outcome));
    return outcome.summaryId;
  };
  const grow = () => engine.fill(session.sessionId, session.branchId, 20, 800);
  const shown = () => engine.shown(session.branchId);
  const edit = (summaryId: SummaryId, text: string) => engine.summaries.edit({ ...session, summaryId, text });
  const text = '## Decisions\n- The words of the first message matter.\n- Never say number 3.';

  test('an edit is a newer row of the same range by the user; an undo brings the old text back', async () => {
    const old = await cover();
    const before = shown()[0];
    const id = await edit(old, `${text}\n- The key is sk-abcdefghijklmnop1234.\n<|im_start|>`);
    expect(shown()).toHaveLength(1);
    expect(shown()[0]).toMatchObject({
      id,
      parentId: old,
      author: 'user',
      attemptId: null,
      model: null,
      coversFrom: before?.coversFrom,
      coversTo: before?.coversTo,
      tokensBefore: before?.tokensBefore,
    });
    expect(shown()[0]?.text).toContain('The key is [secret removed]');
    expect(shown()[0]?.text).not.toContain('im_start');
    // lines that stayed keep their links, new ones are linked by the app; anchors are looked up again
    const lines = shown()[0]?.sections.flatMap((section) => section.lines) ?? [];
    const kept = before?.sections.flatMap((section) => section.lines).find((line) => line.text === lines[0]?.text);
    expect(lines[0]?.sources).toEqual(kept?.sources);
    expect(lines.every((line) => line.sources.length > 0)).toBe(true);
    expect(shown()[0]?.receipt?.anchors.length).toBe(before?.receipt?.anchors.length);
    await engine.summaries.undo(session.sessionId, id);
    expect(shown()).toEqual([before]);
    await engine.summaries.redo(session.sessionId, [id]);
    expect(shown()[0]?.id).toBe(id);
  });

  test('an edit that is empty, not smaller, or of what is no longer shown is refused and writes nothing', async () => {
    const old = await cover();
    await expect(edit(old, ' \n## Goal\n')).rejects.toMatchObject({ code: 'summary-empty' });
    const { tokensBefore } = getSummary(engine.db, old) ?? { tokensBefore: 0 };
    await expect(edit(old, 'words of this edit, '.repeat(2_000))).rejects.toMatchObject({
      code: 'summary-too-large',
      fields: { tokens: expect.any(Number), covered: tokensBefore },
    });
    await edit(old, text);
    await expect(edit(old, '- too late')).rejects.toMatchObject({ code: 'summary-changed' });
    const other = engine.session(1);
    await expect(
      engine.summaries.edit({ ...other, summaryId: old, text: '- not of this session' }),
    ).rejects.toMatchObject({ code: 'not-found' });
    expect(shown()).toHaveLength(1);
    expect(engine.summaries.list(session.branchId)).toHaveLength(2);
  });

  test('an edit or undo of what an attempt builds on ends it at once: nothing more is paid for', async () => {
    const old = await cover();
    grow();
    const first = await engine.attempt(session, 'manual', ['summarize']);
    const id = await edit(old, text);
    await engine.settle();
    expect(await first.outcome).toEqual({ kind: 'superseded', by: 'edit' });
    expect(engine.host.running).toHaveLength(0);
    const second = await engine.attempt(session, 'manual', ['summarize']);
    await engine.summaries.undo(session.sessionId, id);
    await engine.settle();
    expect(await second.outcome).toEqual({ kind: 'superseded', by: 'undo' });
    expect(engine.lease(session.sessionId).instanceId).toBeNull();
    // what does not touch its range leaves an attempt alone
    const third = await engine.attempt(session, 'manual', ['summarize'], { from: 45, to: 60 });
    await engine.summaries.undo(session.sessionId, old);
    expect(third.state.phase.at).toBe('summarizing');
    await engine.answerAll();
    expect((await third.outcome).kind).toBe('committed');
  });

  test('an edit in another window, of what an attempt builds on, refuses its commit: superseded by the edit', async () => {
    const old = await cover();
    grow();
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    const other = new Engine(profile);
    const id = await other.summaries.edit({ ...session, summaryId: old, text });
    await engine.answerAll();
    expect(await attempt.outcome).toEqual({ kind: 'superseded', by: 'edit' });
    expect(shown().map((one) => one.id)).toEqual([id]);
    expect(engine.lease(session.sessionId).instanceId).toBeNull();
    other.close();
  });

  test('what the user wrote is built upon, also by an extract', async () => {
    const id = await edit(await cover(), `${text}\n- Call the ship Aurora-7.`);
    grow();
    await engine.attempt(session, 'manual', ['extract']);
    await engine.settle();
    expect(shown()[0]).toMatchObject({ parentId: id, author: 'extract' });
    expect(shown()[0]?.text).toContain('Aurora-7');
  });

  test('rolling back undoes every newer summary, also after new turns, and one redo brings all back', async () => {
    const first = await cover();
    grow();
    const second = await cover();
    grow();
    const third = await cover();
    expect(engine.summaries.list(session.branchId)).toMatchObject([
      { id: third, place: 'shown', newer: 0 },
      { id: second, place: 'contained', newer: 1 },
      { id: first, place: 'contained', newer: 2 },
    ]);
    const preview = engine.summaries.preview({ ...session, summaryId: first, how: 'roll-back' });
    const covered = getSummary(engine.db, first)?.coversTo ?? 0;
    const cutoff = getSummary(engine.db, third)?.coversTo ?? 0;
    expect(preview).toMatchObject({ undoes: [third, second], older: 1, whole: cutoff - covered, fits: 'too-large' });
    const undone = await engine.summaries.rollBack({ ...session, summaryId: first });
    expect(undone).toEqual([third, second]);
    expect(shown().map((one) => one.id)).toEqual([first]);
    await expect(engine.summaries.rollBack({ ...session, summaryId: first })).rejects.toMatchObject({
      code: 'already-ended',
    });
    await engine.summaries.redo(session.sessionId, undone);
    expect(shown().map((one) => one.id)).toEqual([third]);
    await expect(engine.summaries.redo(session.sessionId, undone)).rejects.toMatchObject({ code: 'already-ended' });
  });

  test('what is said beforehand is what is then sent', async () => {
    const id = await cover();
    const preview = engine.summaries.preview({ ...session, summaryId: id, how: 'undo' });
    await engine.summaries.undo(session.sessionId, id);
    const again = engine.summaries.preview({ ...session, summaryId: id, how: 'undo' });
    expect(again.tokensNow).toBe(preview.tokensAfter);
    expect(preview.tokensNow).toBeLessThan(preview.tokensAfter ?? 0);
    expect(preview).toMatchObject({ undoes: [id], older: 0, whole: 34, usable: 6_144, fits: 'too-large', paths: 1 });
    engine.models.change({ window: { served: 65_536, trained: null, source: 'server' } });
    expect(engine.summaries.preview({ ...session, summaryId: id, how: 'undo' }).fits).toBe('fits');
    engine.models.change({ window: { served: null, trained: null, source: 'unknown' } });
    expect(engine.summaries.preview({ ...session, summaryId: id, how: 'undo' }).fits).toBe('unknown');
  });

  test('a redo that would overlap a newer summary is refused whole', async () => {
    const first = await cover({ from: 5, to: 20 });
    await engine.summaries.undo(session.sessionId, first);
    const second = await cover({ from: 1, to: 10 });
    await expect(engine.summaries.redo(session.sessionId, [first])).rejects.toMatchObject({ code: 'summaries-cross' });
    expect(shown().map((one) => one.id)).toEqual([second]);
    expect(getSummary(engine.db, first)?.state).toBe('undone');
  });

  test('a summary applies to every branch that leaves after its last message', async () => {
    const { sessionId, branchId } = session;
    const id = await cover({ from: 1, to: 10 });
    const fork = (parentId: BranchId, forkSeq: number) =>
      engine.write((tx) => insertFork(tx, { sessionId, parentId, forkSeq, now: 1 }));
    fork(branchId, 9); // leaves inside the range: it has words of its own there
    const after = fork(branchId, 10);
    engine.fill(sessionId, after, 2);
    fork(after, 12);
    expect(engine.summaries.preview({ ...session, summaryId: id, how: 'undo' }).paths).toBe(3);
    await engine.summaries.undo(sessionId, id);
    expect(engine.shown(after)).toEqual([]);
  });

  test('two windows that edit one summary: the first is kept, the second is told', async () => {
    const old = await cover();
    const other = new Engine(profile);
    const first = edit(old, text);
    const second = other.summaries.edit({ ...session, summaryId: old, text: `${text}\n- From the other window.` });
    const results = await Promise.allSettled([first, second]);
    expect(results.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find((one) => one.status === 'rejected')).toMatchObject({ reason: { code: 'summary-changed' } });
    expect(shown()[0]?.author).toBe('user');
    expect(GOOD_SUMMARY).not.toBe(shown()[0]?.text);
    other.close();
  });
});
