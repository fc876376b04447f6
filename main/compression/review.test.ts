import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { changeSummaryState, getSummary } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';

describe('review before commit', () => {
  let profile: TempProfile;
  let engine: Engine;
  let session: { sessionId: SessionId; branchId: BranchId };
  eachEngine((made, at) => {
    engine = made;
    profile = at;
    session = engine.session(20, 800);
    engine.setReview(session.sessionId, true);
  });

  const propose = async (need: 'manual' | 'must' = 'manual'): Promise<SummaryId> => {
    const attempt = await engine.attempt(session, need, need === 'manual' ? ['summarize'] : null);
    await engine.answerAll();
    const outcome = await attempt.outcome;
    if (outcome.kind !== 'proposed') throw new Error(JSON.stringify(outcome));
    return outcome.summaryId;
  };
  /** More than the parts that are paid for already. */
  const grow = () => engine.fill(session.sessionId, session.branchId, 20, 800);
  const shown = () => engine.shown(session.branchId).map((one) => one.id);
  const state = (id: SummaryId) => getSummary(engine.db, id)?.state;
  const last = () => engine.attempts(session.sessionId)[0];
  const free = () => engine.lease(session.sessionId).instanceId === null;

  test('a candidate waits, in one transaction with its outcome and release, and is not used', async () => {
    const id = await propose();
    expect(shown()).toEqual([]);
    expect(engine.proposal(session.sessionId)).toMatchObject({ id, state: 'proposed' });
    expect(last()).toMatchObject({ outcome: { kind: 'proposed', summaryId: id } });
    expect(free()).toBe(true);
  });

  test('accepting is an attempt of its own that makes the view use it, without a model call', async () => {
    const id = await propose();
    const paid = engine.host.streams.length;
    await engine.review.accept(session.sessionId, id);
    expect(shown()).toEqual([id]);
    expect(last()).toMatchObject({ trigger: 'accept', need: 'manual', outcome: { kind: 'committed', summaryId: id } });
    expect(last()?.epoch).toBe(2);
    expect(free()).toBe(true);
    expect(engine.host.streams.length).toBe(paid);
    await expect(engine.review.accept(session.sessionId, id)).rejects.toMatchObject({ code: 'already-ended' });
  });

  test('it survives a restart', async () => {
    const id = await propose();
    engine = engine.restart();
    await engine.review.accept(session.sessionId, id);
    expect(shown()).toEqual([id]);
  });

  test('a rejected one is never used, and the next attempt may propose again', async () => {
    const id = await propose();
    await engine.review.reject(session.sessionId, id);
    await expect(engine.review.accept(session.sessionId, id)).rejects.toMatchObject({ code: 'already-ended' });
    const second = await propose();
    expect([state(id), state(second)]).toEqual(['rejected', 'proposed']);
    expect(shown()).toEqual([]);
  });

  test('an edited one waits in its place, and stands on the same summaries', async () => {
    const id = await propose();
    const edited = await engine.review.edit(session.sessionId, id, '## Goal\n- As I say it.');
    expect([state(id), state(edited)]).toEqual(['rejected', 'proposed']);
    await engine.review.accept(session.sessionId, edited);
    expect(engine.shown(session.branchId)).toMatchObject([{ id: edited, author: 'user', parentId: null }]);
    await expect(engine.review.edit(session.sessionId, id, '- too late')).rejects.toMatchObject({
      code: 'already-ended',
    });
  });

  test('while one waits nothing is begun ahead of need or under pressure', async () => {
    await propose();
    expect(await engine.compress(session, 'ahead')).toEqual({ kind: 'skipped', why: 'review' });
    expect(await engine.compress(session, 'pressure')).toEqual({ kind: 'skipped', why: 'review' });
    expect(engine.attempts(session.sessionId)).toHaveLength(1);
  });

  test('a must makes it stale and goes on; a newer one by hand takes its place', async () => {
    const first = await propose();
    const second = await propose('must');
    expect([state(first), state(second)]).toEqual(['stale', 'proposed']);
    const third = await propose();
    expect([state(second), state(third)]).toEqual(['stale', 'proposed']);
  });

  test('a must that is deferred, or fails, leaves it waiting', async () => {
    const id = await propose();
    const other = new Engine(profile, engine.clock);
    const key = { session: session.sessionId, kind: 'compression' } as const;
    expect(other.leases.tryAcquire(key, 999, () => {}).kind).toBe('acquired');
    const attempt = await engine.attempt(session, 'must');
    expect(await attempt.outcome).toMatchObject({ kind: 'deferred', why: { kind: 'lease-held' } });
    expect(state(id)).toBe('proposed');
    other.close();

    engine.extractAllowed = false;
    grow();
    await engine.attempt(session, 'must');
    engine.host.last.settle({ t: 'exited', code: 1, killedByUs: false });
    await engine.settle();
    expect(last()?.outcome).toMatchObject({ kind: 'failed' });
    expect(state(id)).toBe('proposed');
    await engine.review.accept(session.sessionId, id);
    expect(shown()).toEqual([id]);
  });

  test('a must that is saved makes it stale, also once nobody reviews any more', async () => {
    const id = await propose();
    engine.setReview(session.sessionId, false);
    grow();
    const attempt = await engine.attempt(session, 'must');
    expect(state(id)).toBe('proposed');
    await engine.answerAll();
    expect((await attempt.outcome).kind).toBe('committed');
    expect(state(id)).toBe('stale');
    expect(shown()).toHaveLength(1);
    expect(engine.proposal(session.sessionId)).toBeNull();
  });

  test('one whose ground was changed is refused and stale, with the reason', async () => {
    engine.setReview(session.sessionId, false);
    await engine.attempt(session, 'manual', ['summarize']);
    await engine.answerAll();
    const [base] = shown();
    engine.fill(session.sessionId, session.branchId, 20, 800);
    engine.setReview(session.sessionId, true);
    const id = await propose();
    if (base) await engine.summaries.undo(session.sessionId, base);
    await expect(engine.review.accept(session.sessionId, id)).rejects.toMatchObject({ code: 'summary-outdated' });
    expect(state(id)).toBe('stale');
    expect(last()?.outcome).toEqual({ kind: 'superseded', by: 'undo' });
    expect(shown()).toEqual([]);
    expect(free()).toBe(true);
  });

  test('while another window compresses it goes on waiting', async () => {
    const id = await propose();
    engine.fill(session.sessionId, session.branchId, 20, 800);
    const other = new Engine(profile);
    await other.attempt(session, 'manual', ['summarize']);
    await expect(engine.review.accept(session.sessionId, id)).rejects.toMatchObject({ code: 'held-elsewhere' });
    expect(state(id)).toBe('proposed');
    other.coordinator.cancel(session.sessionId, null, 'user');
    await other.settle();
    await engine.review.accept(session.sessionId, id);
    expect(shown()).toEqual([id]);
    other.close();
  });

  test('two windows that accept at once: it is used once, by one attempt', async () => {
    const id = await propose();
    const other = new Engine(profile);
    const done = await Promise.allSettled([
      engine.review.accept(session.sessionId, id),
      other.review.accept(session.sessionId, id),
    ]);
    expect(done.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(shown()).toEqual([id]);
    const accepted = engine.attempts(session.sessionId).filter((one) => one.trigger === 'accept');
    expect(accepted.filter((one) => one.outcome?.kind === 'committed')).toHaveLength(1);
    expect(accepted.every((one) => one.outcome !== null)).toBe(true);
    expect(free()).toBe(true);
    other.close();
  });

  test('P34 a lease that another took over refuses the acceptance: nothing is written, it goes on waiting', async () => {
    const id = await propose();
    const other = new Engine(profile);
    const key = { session: session.sessionId, kind: 'compression' } as const;
    let taken = false;
    // right after the acquire of the accepting attempt, before its commit
    engine.seam.onWrite(() => {
      if (taken || engine.lease(session.sessionId).instanceId !== engine.me) return;
      taken = true;
      engine.write((tx) =>
        tx
          .prepare(
            "UPDATE leases SET epoch = epoch + 1, instance_id = ?, run_id = 99 WHERE session_id = ? AND kind = 'compression'",
          )
          .run(other.me, session.sessionId),
      );
    });
    await expect(engine.review.accept(session.sessionId, id)).rejects.toMatchObject({ code: 'held-elsewhere' });
    engine.seam.onWrite(() => {});
    expect(taken).toBe(true);
    expect(state(id)).toBe('proposed');
    expect(last()?.outcome).toEqual({ kind: 'failed', failure: 'lease-lost' });
    expect(engine.leases.holderOf(key)).toBe(other.me);
    other.close();
  });

  test('accept, reject and edit at once: one of them is heard, the others are told', async () => {
    const id = await propose();
    const done = await Promise.allSettled([
      engine.review.accept(session.sessionId, id),
      engine.review.reject(session.sessionId, id),
      engine.review.edit(session.sessionId, id, '- As I say it.'),
    ]);
    expect(done.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(free()).toBe(true);
    expect(last()?.outcome).not.toBeNull();
  });

  test('a cancel while it waits for a busy database leaves it waiting', async () => {
    const id = await propose();
    const accepting = engine.review.accept(session.sessionId, id);
    await Promise.resolve();
    let tries = 0;
    engine.seam.onWrite(() => {
      if (engine.lease(session.sessionId).instanceId !== engine.me || tries++ > 0) return;
      engine.coordinator.cancel(session.sessionId, null, 'user');
    });
    const done = await Promise.allSettled([accepting]);
    engine.seam.onWrite(() => {});
    expect(done[0]?.status === 'fulfilled' ? shown() : state(id)).toEqual(
      done[0]?.status === 'fulfilled' ? [id] : 'proposed',
    );
    expect(free()).toBe(true);
  });

  test('a turn that waits for the review goes on when it is accepted, and is told of a rejection', async () => {
    await engine.send(session, 'what now?');
    await engine.settle();
    await engine.answerAll();
    expect(engine.turn(session.sessionId)).toMatchObject({
      state: 'deferred',
      reason: { why: { kind: 'review-pending' } },
    });
    const first = engine.proposal(session.sessionId);
    if (!first) throw new Error('nothing was proposed');
    await engine.review.reject(session.sessionId, first.id);
    await engine.settle();
    expect(engine.turn(session.sessionId)?.state).toBe('deferred');
    await engine.turns.sendAgain(session.sessionId, session.branchId); // "Compress again"
    await engine.settle();
    await engine.answerAll();
    const second = engine.proposal(session.sessionId);
    if (!second) throw new Error('nothing was proposed again');
    expect(engine.requests()).toHaveLength(0);
    await engine.review.accept(session.sessionId, second.id);
    await engine.settle();
    await engine.answerAll('fine');
    expect(engine.turn(session.sessionId)?.state).toBe('completed');
    expect(engine.requests()).toHaveLength(1);
  });

  describe('a turn that waits for the review goes on, where another window accepts,', () => {
    let other: Engine;
    beforeEach(async () => {
      other = new Engine(profile);
      await engine.send(session, 'what now?');
      await engine.settle();
      await engine.answerAll();
    });
    afterEach(() => other.close());
    const accept = async () => {
      const proposal = other.proposal(session.sessionId);
      if (!proposal) throw new Error('nothing was proposed');
      await other.review.accept(session.sessionId, proposal.id);
    };
    const beat = async () => {
      engine.turns.lookAtLeases();
      await engine.settle();
    };

    test('there, and once', async () => {
      await accept();
      await beat();
      await other.settle();
      await beat();
      expect([engine.requests().length, other.requests().length]).toEqual([0, 1]);
      await other.answerAll('fine');
      expect(engine.turn(session.sessionId)?.state).toBe('completed');
    });
    test('here, where that window dies with its word', async () => {
      other.turns.reviewed = () => other.die();
      await accept();
      await beat();
      await engine.answerAll('fine');
      expect(engine.turn(session.sessionId)?.state).toBe('completed');
    });
    test('also where its word is given before the turn is known to wait', async () => {
      const later = engine.session(20, 800);
      engine.setReview(later.sessionId, true);
      await engine.send(later, 'what now?');
      await engine.settle();
      let given = false;
      engine.seam.onWrite(() => {
        const proposal = engine.proposal(later.sessionId);
        if (given || !proposal) return;
        given = true;
        other.write((tx) => changeSummaryState(tx, proposal.id, { from: 'proposed', to: 'active', now: 1 }));
        engine.turns.reviewed(later.sessionId);
      });
      await engine.answerAll();
      expect(engine.turn(later.sessionId)?.state).not.toBe('deferred');
      expect(given).toBe(true);
    });
    test('also after a restart of both', async () => {
      other.die();
      other = engine.restart();
      expect(other.turn(session.sessionId)?.reason).toMatchObject({ why: { kind: 'review-pending' } });
      await accept();
      await other.settle();
      await other.answerAll('fine');
      expect(other.turn(session.sessionId)?.state).toBe('completed');
    });
  });
});
