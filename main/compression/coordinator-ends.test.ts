/** What starts no attempt or another one than was wished for, and what ends one by its name. */
import { describe, expect, test } from 'vitest';
import type { AttemptId, BranchId, SessionId } from '../../shared/model/ids';
import { putBackoff, type StoredBackoff } from '../db/backoffs-table';
import { releaseLease } from '../db/leases-table';
import { changeSession } from '../db/sessions-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { marksFor } from '../turns/measure';
import type { Started } from './coordinator';
import type { Wish } from './wish';

type Session = { sessionId: SessionId; branchId: BranchId };
let engine: Engine;
let session: Session;
eachEngine((made) => {
  engine = made;
  session = engine.session(40, 800);
});

const start = (change: Partial<Wish>): Promise<Started> => {
  const model = engine.models.facts();
  const marks = marksFor(engine.db, session.sessionId, model);
  if (!marks) throw new Error('the window is unknown');
  const none = { turnId: null, chosen: null, range: null, accepts: null, bulkyResults: false, fixedTokens: 0 };
  const wish = { ...session, ...none, need: 'must', trigger: 'does-not-fit', model, marks, bypass: false } as const;
  return engine.coordinator.start({ ...wish, ...change });
};
/** The strategies with which it began. */
const rowOf = async (change: Partial<Wish>) => {
  const started = await start(change);
  return started.kind === 'running' ? started.attempt.spec.row : started;
};
const fail = (): never => {
  throw new Error('it holds no lease');
};
const outcomes = () => engine.attempts(session.sessionId).map(({ outcome }) => outcome);

describe('a strategy that pauses', () => {
  const pauses = (change: Partial<StoredBackoff> = {}) => {
    const stalled = { strategy: 'summarize', kind: 'stalled', rung: 1, durationMs: 60_000, untilChars: null } as const;
    const row = { ...stalled, setAt: engine.clock.wall(), attemptId: 0 as AttemptId, bypassed: false, error: null };
    engine.write((tx) => putBackoff(tx, session.sessionId, { ...row, ...change }));
  };
  const untilGrown = (untilChars: number) => pauses({ kind: 'nothing-to-gain', durationMs: null, untilChars });
  const WITH = ['prune', 'summarize', 'extract'];
  const WITHOUT = ['prune', 'extract'];

  test('is told with its end', async () => {
    pauses();
    engine.clock.jumpWall(10_000);
    const until = engine.clock.wall() + 50_000;
    expect(await start({ need: 'pressure' })).toEqual({ kind: 'paused', until, forMs: 50_000 });
  });
  test('is not told as the reason where the model could write none in any case', async () => {
    pauses();
    engine.models.change({ canSummarize: false });
    expect(await start({ need: 'pressure' })).toEqual({ kind: 'skipped', why: 'no-strategy' });
  });
  test('until the session has grown does so no longer than that', async () => {
    untilGrown((engine.stored(session.sessionId)?.chars ?? 0) + 1);
    expect(await rowOf({ need: 'ahead' })).toEqual({ kind: 'skipped', why: 'no-strategy' });
    untilGrown(engine.stored(session.sessionId)?.chars ?? 0);
    expect(await rowOf({ need: 'ahead' })).toEqual(['prune', 'summarize']);
  });
  test('since there was nothing to gain is looked at anew only where nothing else is left to a request', async () => {
    untilGrown(1e9);
    engine.extractAllowed = false;
    expect(await rowOf({ need: 'pressure' })).toEqual({ kind: 'skipped', why: 'no-strategy' });
    expect(await rowOf({ need: 'must' })).toEqual(['prune', 'summarize']);
  });
  test('since there was nothing to gain is passed over where there is another', async () => {
    untilGrown(1e9);
    expect(await rowOf({})).toEqual(WITHOUT);
  });
  test.each([
    ['is tried once in spite of it after a proven overflow', false, WITH],
    ['is not tried again once that was spent', true, WITHOUT],
  ])('%s', async (_name, bypassed, row) => {
    pauses({ bypassed });
    expect(await rowOf({ bypass: true })).toEqual(row);
  });
});

describe('lines in the place of bulk are not made', () => {
  test('of a range that was chosen', async () => {
    const bulky = { need: 'manual', chosen: ['prune', 'summarize'] } as const;
    expect(await rowOf({ ...bulky, range: { from: 11, to: 20 } })).toEqual(['summarize']);
    session = engine.session(40, 800);
    expect(await rowOf(bulky)).toEqual(['prune', 'summarize']);
  });
  test('of a session whose summaries are reviewed', async () => {
    engine.write((tx) => changeSession(tx, session.sessionId, { review: true }));
    expect(await rowOf({})).toEqual(['summarize', 'extract']);
  });
});

describe('an attempt is stopped by its name', () => {
  const OTHER = 999 as AttemptId;

  test('by the user: any, the named one, and no other', async () => {
    const { sessionId } = session;
    expect(engine.coordinator.cancel(sessionId, null, 'user')).toBe(false);
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    expect(engine.coordinator.cancel(sessionId, OTHER, 'user')).toBe(false);
    await engine.settle();
    expect(attempt.state.phase.at).toBe('summarizing');
    expect(engine.coordinator.cancel(sessionId, attempt.spec.id, 'user')).toBe(true);
    await engine.settle();
    expect(await attempt.outcome).toEqual({ kind: 'cancelled', by: 'user' });
    expect(engine.coordinator.cancel(sessionId, attempt.spec.id, 'user')).toBe(false);
  });

  test('the model of it is skipped, and what needs none follows, though it was not chosen', async () => {
    const { sessionId } = session;
    expect(engine.coordinator.skipModel(sessionId, OTHER)).toBe(false);
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    expect(engine.coordinator.skipModel(sessionId, OTHER)).toBe(false);
    await engine.settle();
    expect(attempt.state.phase.at).toBe('summarizing');
    expect(engine.coordinator.skipModel(sessionId, attempt.spec.id)).toBe(true);
    await engine.settle();
    expect((await attempt.outcome).kind).toBe('committed');
    expect(engine.shown(session.branchId)).toMatchObject([{ author: 'extract' }]);
  });

  test('a model that was not asked yet is not asked', async () => {
    const tryAcquire = engine.leases.tryAcquire.bind(engine.leases);
    engine.leases.tryAcquire = () => ({ kind: 'busy' }); // asked for again in a moment
    const attempt = await engine.attempt(session, 'manual', ['prune', 'summarize', 'extract']);
    expect(attempt.state.phase.at).toBe('acquiring');
    expect(engine.coordinator.skipModel(session.sessionId, attempt.spec.id)).toBe(true);
    expect(attempt.state.row).toEqual(['prune', 'extract']);
    engine.leases.tryAcquire = tryAcquire;
    await engine.pass(1_000);
    expect((await attempt.outcome).kind).toBe('committed');
    expect(engine.host.streams).toEqual([]);
  });
  test('nor is a second one, while the first is being stopped', async () => {
    const own = engine.models.facts();
    engine.secondModel = { ...own, ref: { ...own.ref, model: 'second' } };
    const attempt = await engine.attempt(session);
    engine.host.last.onCancel = 'ignore';
    await engine.pass(31_000); // silent while connecting
    expect(attempt.state.phase.at).toBe('switching');
    expect(engine.coordinator.skipModel(session.sessionId, attempt.spec.id)).toBe(true);
    engine.host.last.settle({ t: 'stopped' });
    await engine.settle();
    expect((await attempt.outcome).kind).toBe('committed');
    expect(engine.host.streams).toHaveLength(1);
  });
  test('an attempt that waits for a summarizer waits no more', async () => {
    for (let busy = 0; busy < 2; busy++) await engine.attempt(engine.session(40, 800), 'manual', ['summarize']);
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    await engine.settle();
    expect(attempt.state.phase.at).toBe('waiting');
    expect(engine.coordinator.skipModel(session.sessionId, attempt.spec.id)).toBe(true);
    await engine.settle();
    expect((await attempt.outcome).kind).toBe('committed');
    expect(engine.shown(session.branchId)).toMatchObject([{ author: 'extract' }]);
  });
});

describe('a quit', () => {
  const QUITTING = { kind: 'skipped', why: 'quitting' };

  test('lets nothing begin afterwards', async () => {
    await engine.coordinator.quit();
    expect(await start({})).toEqual(QUITTING);
    expect(outcomes()).toEqual([]);
  });
  test('while the row of an attempt is written ends it before it begins', async () => {
    engine.seam.onWrite(() => void engine.coordinator.quit());
    expect(await start({})).toEqual(QUITTING);
    engine.seam.onWrite(() => {});
    expect(outcomes()).toEqual([{ kind: 'cancelled', by: 'quit' }]);
    expect(engine.coordinator.all()).toEqual([]);
    expect(engine.host.streams).toEqual([]);
  });
  test('waits for a worker that hears nothing, half a second', async () => {
    await engine.attempt(session, 'manual', ['summarize']);
    engine.host.last.onCancel = 'ignore';
    let quit = false;
    void engine.coordinator.quit().then(() => {
      quit = true;
    });
    await engine.pass(499, 499);
    expect(quit).toBe(false);
    await engine.pass(1);
    expect(quit).toBe(true);
  });
});

test('a lease that this instance holds for no attempt that it knows is not worked under', async () => {
  engine.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 7, () => {});
  const started = await start({});
  await engine.settle();
  expect(started.kind === 'running' && (await started.attempt.outcome)).toEqual({
    kind: 'deferred',
    why: { kind: 'worker-exiting' },
  });
});

describe('who waits for a place', () => {
  const waits = () => {
    const heard: string[] = [];
    const end = engine.coordinator.whenPlace(engine.models.facts(), () => heard.push('place'));
    return { heard, end };
  };
  const comesFree = async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    attempt.cancel('user');
    await engine.settle();
  };

  test('hears of it once', async () => {
    const { heard } = waits();
    engine.clock.turn();
    await comesFree();
    expect(heard).toEqual(['place']);
  });
  test('hears nothing after it ceased to wait, were it in the very step', async () => {
    const { heard, end } = waits();
    end();
    engine.clock.turn();
    await comesFree();
    expect(heard).toEqual([]);
  });
});

test('the proof that an older worker has ended is none for a newer one of the same session', async () => {
  const silent = async () => {
    const attempt = await engine.attempt(session, 'manual', ['summarize']);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    stream.onKill = 'never';
    return { attempt, stream };
  };
  const older = await silent();
  await engine.pass(30_000, 30_000);
  // another window took its lease over, and is done by now
  engine.write((tx) => releaseLease(tx, older.attempt.holding ?? fail()));
  const newer = await silent();
  await engine.pass(30_000, 30_000);
  engine.extractAllowed = false;
  older.stream.exit();
  await engine.settle();
  expect(engine.coordinator.awaitsProof(session.sessionId)).toBe(true);
  newer.stream.exit();
  await engine.settle();
  expect(engine.coordinator.awaitsProof(session.sessionId)).toBe(false);
});

test('a wish that stood back and cannot be heard again is told to the log', async () => {
  await engine.attempt(session, 'manual', ['summarize']);
  await engine.send(engine.session(), 'a short question');
  await engine.settle();
  engine.db.exec(
    "CREATE TEMP TRIGGER dying BEFORE INSERT ON main.attempts BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END",
  );
  engine.host.last.answer('an answer');
  await engine.settle();
  expect(engine.coordinator.all()).toEqual([]);
  expect(engine.log.filter((line) => line.startsWith('not wished for again'))).toEqual([
    expect.stringContaining('disk I/O error'),
  ]);
});

describe('a model whose process would not end', () => {
  const use = (model: string) => engine.models.change({ ref: { ...engine.models.facts().ref, model } });
  /** Written off: killed after it fell silent, and no end seen. Its stream. */
  const lost = async (model: string) => {
    use(model);
    await engine.attempt(engine.session(40, 800), 'manual', ['summarize']);
    const stream = engine.host.last;
    stream.onCancel = 'ignore';
    stream.onKill = 'never';
    await engine.pass(65_000, 5_000);
    expect(engine.log.join('; ')).toContain('kill');
    return stream;
  };

  test('is passed over until its end is seen, and no other is', async () => {
    const one = await lost('one');
    const other = await lost('other');
    expect(await rowOf({})).toEqual(['prune', 'extract']);
    await engine.settle();
    use('third');
    expect(await start({ need: 'ahead' })).toMatchObject({ kind: 'running' });
    engine.coordinator.cancel(session.sessionId, null, 'user');
    await engine.settle();
    one.exit();
    await engine.settle();
    use('other');
    expect(await rowOf({ need: 'manual', chosen: ['summarize'] })).toEqual({ kind: 'skipped', why: 'no-strategy' });
    use('one');
    expect(await rowOf({ need: 'manual', chosen: ['summarize'] })).toEqual(['summarize']);
    other.exit();
  });
});
