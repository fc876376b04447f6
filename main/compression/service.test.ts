import { describe, expect, test } from 'vitest';
import type { AttemptId, BranchId, SessionId } from '../../shared/model/ids';
import { putBackoff } from '../db/backoffs-table';
import { changeSession } from '../db/sessions-table';
import { putText } from '../db/texts-table';
import { eachEngine } from '../testing/each-engine';
import { Engine } from '../testing/engine';
import { FixedModels } from '../testing/fixed-models';
import type { TempProfile } from '../testing/profile';
import { marksFor } from '../turns/measure';
import { marksOf } from './policy';
import { byHand } from './service';

let profile: TempProfile;
let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made, at) => {
  engine = made;
  profile = at;
  engine.models.change({ window: { served: 32_768, trained: null, source: 'server' } });
  session = engine.session(20, 800);
});

const all = ['prune', 'summarize', 'extract'] as const;
const NOBODY = '00000000-0000-4000-8000-ffffffffffff' as SessionId;
const NO_ATTEMPT = 999 as AttemptId;
const error = (code: string, fields: object = {}) => expect.objectContaining({ code, fields });
const pause = () => {
  const stalled = { strategy: 'summarize', kind: 'stalled', rung: 1, durationMs: 60_000, untilChars: null } as const;
  const row = { ...stalled, setAt: engine.clock.wall(), attemptId: NO_ATTEMPT, bypassed: false, error: null };
  engine.write((tx) => putBackoff(tx, session.sessionId, row));
};
const listed = () => engine.compression.attempts(session.sessionId);
const outcomes = () => listed().map(({ outcome }) => outcome);

describe('a wish by hand', () => {
  const wish = () => byHand(engine.db, engine.models, session);

  test('names a chat that is gone, and the lack of a model', () => {
    expect(() => byHand(engine.db, engine.models, { ...session, sessionId: NOBODY })).toThrow(
      error('not-found', { what: 'session' }),
    );
    const none = Object.assign(new FixedModels(), { facts: () => null });
    expect(() => byHand(engine.db, none, session)).toThrow(error('no-model'));
  });

  test('has the marks of the model’s window; of a small one where the server does not tell its own', () => {
    expect(wish().marks).toEqual(marksFor(engine.db, session.sessionId, engine.models.facts()));
    engine.models.change({ window: { served: null, trained: null, source: 'unknown' } });
    expect(wish().marks).toEqual(marksOf(8_192, null, 0));
  });

  test('counts the system prompt among what no compression takes away', () => {
    expect(wish().fixedTokens).toBe(0);
    engine.write((tx) => changeSession(tx, session.sessionId, { promptHash: putText(tx, 'Be brief. '.repeat(40)) }));
    expect(wish().fixedTokens).toBe(100);
  });

  test('runs in spite of a pause, and ends the pause whatever comes of it', async () => {
    pause();
    await engine.compression.start({ ...session, strategies: ['summarize'], range: null });
    await engine.settle();
    expect(engine.backoff(session.sessionId)).toBeNull();
    const [running] = listed();
    expect(running).toMatchObject({ trigger: 'button', outcome: null, endedAt: null });
  });

  test('of another window that works on a part of the chat is known by its path alone', async () => {
    const other = new Engine(profile, engine.clock);
    const { spec } = await other.attempt(session, 'manual', ['summarize'], { from: 5, to: 20 });
    expect(engine.compression.wishOf(session.sessionId, spec.id)).toEqual({ ...session, strategies: all, range: null });
    other.close();
  });

  test('of an attempt that nobody made is not found', () => {
    const wishOf = () => engine.compression.wishOf(session.sessionId, NO_ATTEMPT);
    expect(wishOf).toThrow(error('not-found', { what: 'compression' }));
  });
});

describe('what a range would gain', () => {
  const preview = (from: number, to: number) => engine.compression.previewRange({ ...session, range: { from, to } });
  /** Ten messages of 204 tokens each. */
  const MIDDLE = { kind: 'range', from: 11, to: 20, tokensNow: 2_040 };

  test('is told of the whole turns that it touches, as they are covered then', async () => {
    const told = await preview(12, 19);
    expect(told).toEqual({ ...MIDDLE, tokensAfter: 816 });
    await engine.compression.start({ ...session, strategies: ['extract'], range: { from: 12, to: 19 } });
    await engine.settle();
    expect(engine.shown(session.branchId)).toMatchObject([{ coversFrom: 11, coversTo: 20, tokensBefore: 2_040 }]);
    expect(listed()[0]?.trigger).toBe('range');
  });

  test('is as much as a summary may have at most, however long the range', async () => {
    const told = await preview(1, 40);
    expect(told).toMatchObject({ from: 1, to: 40, tokensAfter: 2_000 });
  });

  test('takes in the last turn too: who chooses it wants it covered', async () => {
    expect(await preview(39, 40)).toMatchObject({ from: 39, to: 40 });
  });

  test('is nothing, with its reason, inside a summary and where there is no message', async () => {
    await engine.compression.start({ ...session, strategies: ['extract'], range: { from: 11, to: 20 } });
    await engine.settle();
    expect(await preview(12, 15)).toEqual({ kind: 'nothing', reason: 'inside-summary' });
    expect(await preview(90, 95)).toEqual({ kind: 'nothing', reason: 'nothing-covered' });
  });
});

describe('a running attempt', () => {
  const cancel = (id: AttemptId) => engine.compression.cancel(session.sessionId, id);
  const skipModel = (id: AttemptId) => engine.compression.skipModel(session.sessionId, id);

  test('is cancelled by the user, once', async () => {
    const { spec, outcome } = await engine.attempt(session, 'manual', ['summarize']);
    expect(() => cancel(NO_ATTEMPT)).toThrow(error('already-ended'));
    cancel(spec.id);
    await engine.settle();
    expect(await outcome).toEqual({ kind: 'cancelled', by: 'user' });
    expect(() => cancel(spec.id)).toThrow(error('already-ended'));
  });

  test('goes on without its model, unless it has ended', async () => {
    const { spec, outcome } = await engine.attempt(session, 'manual', ['summarize']);
    expect(() => skipModel(NO_ATTEMPT)).toThrow(error('already-ended'));
    skipModel(spec.id);
    await engine.settle();
    expect((await outcome).kind).toBe('committed');
    expect(engine.shown(session.branchId)).toMatchObject([{ author: 'extract' }]);
    expect(() => skipModel(spec.id)).toThrow(error('already-ended'));
  });
});

test('a pause ends by the user’s word, in that chat alone', async () => {
  pause();
  await engine.compression.clearBackoff(engine.session().sessionId);
  expect(engine.backoff(session.sessionId)).not.toBeNull();
  await engine.compression.clearBackoff(session.sessionId);
  expect(engine.backoff(session.sessionId)).toBeNull();
});

describe('the list of attempts', () => {
  const run = async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    await engine.answerAll();
    return attempt.outcome;
  };

  test('is empty of a chat that is gone', () => {
    expect(engine.compression.attempts(NOBODY)).toEqual([]);
  });

  test('says what each came to, whichever lease was taken since; with tokens where there is a summary', async () => {
    const committed = await run();
    const [{ tokensBefore, tokensAfter } = { tokensBefore: 0, tokensAfter: 0 }] = engine.shown(session.branchId);
    expect(Math.min(tokensBefore, tokensAfter)).toBeGreaterThan(0);
    engine.fill(session.sessionId, session.branchId, 20, 800);
    const cancelled = await engine.attempt(session, 'manual', ['summarize']);
    cancelled.cancel('user');
    await engine.settle();
    await engine.attempt(session, 'manual', ['summarize']);
    expect(engine.lease(session.sessionId).epoch).toBe(3);
    const none = { tokensBefore: null, tokensAfter: null };
    expect(listed()).toMatchObject([
      { outcome: null, endedAt: null, ...none },
      { outcome: { kind: 'cancelled', by: 'user' }, endedAt: engine.clock.wall(), ...none },
      { outcome: committed, trigger: 'button', strategy: 'summarize', tokensBefore, tokensAfter },
    ]);
  });

  test('says of one that waits for a word what its summary would save', async () => {
    engine.setReview(session.sessionId, true);
    const outcome = await run();
    const proposal = engine.proposal(session.sessionId);
    expect(proposal?.tokensAfter).toBeGreaterThan(0);
    const { tokensBefore, tokensAfter } = proposal ?? {};
    expect(listed()).toMatchObject([{ outcome, tokensBefore, tokensAfter }]);
    expect(outcome.kind).toBe('proposed');
  });

  test('does not call one lost that waits for its lease yet, though the chat’s lease was taken before', async () => {
    await run();
    for (let busy = 0; busy < 2; busy++) await engine.attempt(engine.session(40, 800), 'manual', ['summarize']);
    engine.fill(session.sessionId, session.branchId, 20, 800);
    const waiting = await engine.attempt(session, 'manual', ['summarize']);
    expect(waiting.state.phase.at).toBe('waiting');
    expect(outcomes()).toMatchObject([null, { kind: 'committed' }]);
  });
});
