import { afterEach, describe, expect, test } from 'vitest';
import type { BranchId, MessageId, SessionId } from '../../shared/model/ids';
import { insertMessage } from '../db/messages-table';
import { changeSummaryState } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import { Engine, GOOD_SUMMARY } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import type { AttemptRun } from './attempt';

describe('one attempt', () => {
  let profile: TempProfile;
  let engine: Engine;
  let session: { sessionId: SessionId; branchId: BranchId };
  let before: string[];

  eachEngine((made, at) => {
    engine = made;
    profile = at;
    session = engine.session(40, 800); // about 17,000 tokens: three chunks and a fold
    before = engine.texts(session.branchId);
  });
  afterEach(() => {
    expect(engine.texts(session.branchId).slice(0, before.length)).toEqual(before); // I1, whatever happened
  });

  const idle = async () => {
    await engine.settle();
    expect(engine.coordinator.running(session.sessionId)).toBeNull();
    expect(engine.lease(session.sessionId).instanceId).toBeNull();
    expect(engine.host.running).toHaveLength(0);
    for (const attempt of engine.attempts(session.sessionId))
      expect(attempt.outcome, engine.log.join('; ')).not.toBeNull();
  };

  /** Of an attempt that must have ended by now: a wait without an end would hide what is wrong. */
  const outcomeOf = async (attempt: AttemptRun) => {
    await engine.settle();
    expect(attempt.state.phase.at, engine.log.join('; ')).toBe('ended');
    return attempt.outcome;
  };

  test('reads the range in chunks, folds their notes, commits once and frees the lease', async () => {
    const attempt = await engine.attempt(session);
    await engine.answerAll();
    expect((await outcomeOf(attempt)).kind).toBe('committed');
    const [fold] = engine.shown(session.branchId);
    expect(fold).toMatchObject({ coversFrom: 1, author: 'model', strategy: 'summarize' });
    expect(fold?.tokensAfter).toBeLessThan(fold?.tokensBefore ?? 0);
    expect(engine.attempts(session.sessionId)[0]).toMatchObject({ chunksDone: 3, chunks: 3, epoch: 1 });
    expect(engine.log.length).toBeLessThanOrEqual(20);
    await idle();
  });

  test('P1 a worker that died of its own timeout error is a stall; the next strategy starts at once', async () => {
    const attempt = await engine.attempt(session);
    engine.host.last.dieOfTimeout();
    await engine.settle();
    expect((await outcomeOf(attempt)).kind).toBe('committed');
    expect(engine.shown(session.branchId)[0]?.author).toBe('extract');
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'stalled', rung: 1 });
    expect(engine.clock.monotonic()).toBe(0); // no timer had to elapse
    expect(engine.log.length).toBeLessThanOrEqual(20);
    await idle();
  });

  test('P2 a result in the moment between the timer and the check is committed, without a second call', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    const later = engine.clock.nextTurn.bind(engine.clock);
    engine.clock.nextTurn = (judge) => {
      engine.clock.nextTurn = later;
      engine.host.last.answer(GOOD_SUMMARY); // it was on its way when the timer fired
      later(judge);
    };
    engine.clock.advance(30_000); // patience of "connecting"
    await engine.settle();
    await engine.answerAll();
    expect((await outcomeOf(attempt)).kind).toBe('committed');
    expect(engine.shown(session.branchId)[0]?.author).toBe('model');
    expect(engine.backoff(session.sessionId)).toBeNull();
    expect(engine.host.streams).toHaveLength(4); // three chunks and the fold, each once
    await idle();
  });

  test('P3 any other failure of the worker is the reason of the outcome', async () => {
    engine.extractAllowed = false;
    const attempt = await engine.attempt(session);
    engine.host.last.settle({
      t: 'failed',
      kind: 'refused',
      cause: 'http',
      name: 'Error',
      message: 'no',
      fields: { status: 403 },
    });
    expect(await outcomeOf(attempt)).toEqual({ kind: 'failed', failure: 'refused' });
    await idle();
  });

  test('P4 a slow worker that makes progress is waited for', async () => {
    const attempt = await engine.attempt(session);
    for (let i = 0; i < 6; i++) {
      await engine.pass(25_000, 25_000);
      engine.host.last.emit({ t: 'text', text: 'x' });
    }
    expect(attempt.state.phase.at).toBe('summarizing');
    await engine.answerAll();
    expect((await outcomeOf(attempt)).kind).toBe('committed');
    await idle();
  });

  test('P5 a commit that dies ends the attempt at once, without another try', async () => {
    const attempt = await engine.attempt(session);
    engine.db.exec(
      "CREATE TEMP TRIGGER dying BEFORE INSERT ON main.summaries BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END",
    );
    await engine.answerAll();
    expect(await outcomeOf(attempt)).toEqual({ kind: 'failed', failure: 'commit-failed' });
    expect(engine.clock.monotonic()).toBe(0); // no timer had to elapse
    expect(engine.shown(session.branchId)).toEqual([]);
    await idle();
  });

  test.each(Array.from({ length: 10 }, (_, i) => i))(
    'P8 a cancel between acquiring and arming cannot win there (%i)',
    async () => {
      const running = engine.compress(session);
      // the cancel is asked for from inside the durable write of the acquire
      engine.seam.onWrite(() => {
        if (engine.lease(session.sessionId).instanceId !== null)
          engine.coordinator.cancel(session.sessionId, null, 'user');
      });
      await running;
      engine.seam.onWrite(() => {});
      await idle();
      expect(engine.attempts(session.sessionId)[0]?.outcome).toEqual({ kind: 'cancelled', by: 'user' });
    },
  );

  test('P16 P17 P18 a stall arms a durable backoff: skipped with a reason, also after a restart, where its rung goes on', async () => {
    engine.extractAllowed = false;
    const attempt = await engine.attempt(session);
    await engine.pass(30_000, 30_000);
    expect(await outcomeOf(attempt)).toEqual({ kind: 'failed', failure: 'stalled' });
    expect(engine.backoff(session.sessionId)).toMatchObject({
      strategy: 'summarize',
      kind: 'stalled',
      rung: 1,
      durationMs: 60_000,
    });
    expect(await engine.compress(session)).toMatchObject({ kind: 'paused' });
    expect(engine.attempts(session.sessionId)).toHaveLength(1); // a skip writes no row
    engine = engine.restart();
    engine.extractAllowed = false;
    expect(await engine.compress(session)).toMatchObject({ kind: 'paused' });
    await engine.pass(60_000, 60_000);
    const second = await engine.attempt(session);
    await engine.pass(30_000, 30_000);
    await outcomeOf(second);
    expect(engine.backoff(session.sessionId)).toMatchObject({ rung: 2, durationMs: 300_000 });
    await idle();
  });

  test('P16 the stop of a user counts only once the stream had run out of patience', async () => {
    const attempt = await engine.attempt(session);
    await engine.pass(10_000, 10_000);
    attempt.cancel('user');
    expect(await outcomeOf(attempt)).toEqual({ kind: 'cancelled', by: 'user' });
    expect(engine.backoff(session.sessionId)).toBeNull();
    await idle();
  });

  test('P16 a quit in mid-attempt arms an "interrupted" backoff', async () => {
    const attempt = await engine.attempt(session);
    await engine.coordinator.quit();
    expect(await outcomeOf(attempt)).toEqual({ kind: 'cancelled', by: 'quit' });
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'interrupted', rung: 1 });
    await idle();
  });

  test('P19 a committed summary clears the backoff of its strategy; the next attempt is allowed', async () => {
    engine.extractAllowed = false;
    const first = await engine.attempt(session);
    engine.host.last.dieOfTimeout();
    await outcomeOf(first);
    await engine.pass(60_000, 60_000);
    const second = await engine.attempt(session);
    await engine.answerAll();
    expect((await outcomeOf(second)).kind).toBe('committed');
    expect(engine.backoff(session.sessionId)).toBeNull();
    engine.fill(session.sessionId, session.branchId, 30, 800);
    expect((await engine.compress(session)).kind).toBe('running');
    engine.coordinator.cancel(session.sessionId, null, 'user');
    await idle();
  });

  test('P20 a newer attempt takes the session: the older candidate is discarded, nothing is left behind', async () => {
    const older = await engine.attempt(session, 'must');
    const stream = engine.host.last;
    stream.onCancel = 'ignore'; // its answer is on the way
    const claimed = engine.attempt(session, 'manual', ['summarize']);
    await engine.settle();
    stream.answer('## Goal\n- stale');
    expect(await outcomeOf(older)).toEqual({ kind: 'superseded', by: 'newer' });
    const newer = await claimed;
    await engine.answerAll();
    expect((await outcomeOf(newer)).kind).toBe('committed');
    expect(engine.shown(session.branchId)).toHaveLength(1);
    expect(engine.shown(session.branchId)[0]?.text).not.toContain('stale');
    expect(await engine.send(session, 'still writable')).toBe('sent');
    await engine.settle();
    await engine.answerAll('fine');
    await idle();
  });

  test('P21 a wish that is skipped does not supersede the attempt that runs', async () => {
    const running = await engine.attempt(session, 'manual', ['summarize']);
    engine.models.change({ canSummarize: false, ref: { ...engine.models.facts().ref, model: 'other' } });
    expect(await engine.compress(session, 'ahead')).toMatchObject({ kind: 'skipped' });
    expect(running.state.phase.at).toBe('summarizing');
    await engine.answerAll();
    expect((await outcomeOf(running)).kind).toBe('committed');
    await idle();
  });

  test('P32 messages that arrive while a summary is written stand once, after the covered range', async () => {
    const attempt = await engine.attempt(session);
    engine.write((tx) => {
      const row = { ...session, turnId: null, now: 1, role: 'user', status: 'complete' } as const;
      insertMessage(tx, { ...row, id: '11111111-1111-4111-8111-111111111111' as MessageId, text: 'meanwhile' });
    });
    await engine.answerAll();
    expect((await outcomeOf(attempt)).kind).toBe('committed');
    const texts = engine.texts(session.branchId);
    expect(texts.filter((text) => text === 'meanwhile')).toHaveLength(1);
    expect(texts.at(-1)).toBe('meanwhile');
    expect(engine.shown(session.branchId)[0]?.coversTo).toBeLessThan(texts.length);
    await idle();
  });

  test('P33 renewals missed for longer than the TTL cost nothing while nobody took the lease over', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    engine.clock.jumpWall(10 * 60_000);
    engine.write((tx) => tx.prepare('UPDATE leases SET renewed_at = 1 WHERE session_id = ?').run(session.sessionId));
    await engine.answerAll();
    expect((await outcomeOf(attempt)).kind).toBe('committed');
    await idle();
  });

  test('P34 a lease that another took over refuses the commit: nothing is written', async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    const other = new Engine(profile);
    other.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 7, () => {});
    other.clock.advance(45_000); // this process's clock stands still: it hangs
    const got = other.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 7, () => {});
    expect(got.kind).toBe('acquired');
    await engine.answerAll();
    expect(await outcomeOf(attempt)).toEqual({ kind: 'failed', failure: 'lease-lost' });
    expect(engine.shown(session.branchId)).toEqual([]);
    expect(engine.lease(session.sessionId).instanceId).toBe(other.me);
    if (got.kind === 'acquired') await got.lease.release();
    other.close();
    await idle();
  });

  test('an undo of the base meanwhile refuses the commit', async () => {
    await engine.attempt(session, 'manual', ['summarize']);
    await engine.answerAll();
    const [base] = engine.shown(session.branchId);
    engine.fill(session.sessionId, session.branchId, 20, 800);
    before = engine.texts(session.branchId);
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    engine.write((tx) => base && changeSummaryState(tx, base.id, { from: 'active', to: 'undone', now: 1 }));
    await engine.answerAll();
    expect(await outcomeOf(attempt)).toEqual({ kind: 'superseded', by: 'undo' });
    expect(engine.shown(session.branchId)).toEqual([]);
    await idle();
  });

  test('finished chunks are checkpoints: a second attempt pays only for the rest', async () => {
    const first = await engine.attempt(session, 'manual', ['summarize']);
    for (let i = 0; i < 2; i++) {
      engine.host.last.answer(GOOD_SUMMARY);
      await engine.settle();
    }
    first.cancel('user');
    await outcomeOf(first);
    await engine.settle();
    const paid = engine.host.streams.length;
    engine.models.change({ rates: { ascii: 0.26, cjk: 1, other: 0.5, calibrated: true } }); // an answer came meanwhile
    const second = await engine.attempt(session, 'manual', ['summarize']);
    await engine.answerAll();
    expect((await outcomeOf(second)).kind).toBe('committed');
    expect(engine.host.streams.length - paid).toBe(2); // the third chunk and the fold
    await idle();
  });

  test('a crash in mid-attempt leaves no running attempt and no lease, and arms the backoff', async () => {
    await engine.attempt(session);
    engine = engine.restart();
    expect(engine.attempts(session.sessionId)[0]?.outcome).toEqual({ kind: 'failed', failure: 'interrupted' });
    expect(engine.backoff(session.sessionId)).toMatchObject({ kind: 'interrupted', rung: 1 });
    await idle();
  });

  test('S38 S39 an empty answer or one shaped like an error is never a summary', async () => {
    engine.extractAllowed = false;
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    await engine.answerAll('Error 500: internal server error');
    expect(await outcomeOf(attempt)).toEqual({ kind: 'failed', failure: 'refused' });
    expect(engine.shown(session.branchId)).toEqual([]);
    await idle();
  });
});
