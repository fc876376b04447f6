/** Wishes that meet a running attempt of their session: joined, superseded, or told to wait. */
import { describe, expect, test } from 'vitest';
import type { Need } from '../../shared/model/compression';
import type { BranchId, SessionId, TurnId } from '../../shared/model/ids';
import { insertFork } from '../db/branches-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { marksFor } from '../turns/measure';
import type { AttemptRun } from './attempt';
import type { Wish } from './wish';

let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made) => {
  engine = made;
  session = engine.session(40, 800);
});

const start = (change: Partial<Wish>) => {
  const model = engine.models.facts();
  const marks = marksFor(engine.db, session.sessionId, model);
  if (!marks) throw new Error('the window is unknown');
  const none = { turnId: null, chosen: null, range: null, accepts: null, bulkyResults: false, fixedTokens: 0 };
  const wish = { ...session, ...none, need: 'pressure', trigger: 'hard-mark', model, marks, bypass: false } as const;
  return engine.coordinator.start({ ...wish, ...change });
};
/** An attempt that runs; what it leads to later has not happened yet. */
const begin = async (change: Partial<Wish>): Promise<AttemptRun> => {
  const started = await start(change);
  if (started.kind !== 'running') throw new Error(JSON.stringify(started));
  expect(started.joined).toBe(false);
  return started.attempt;
};
const join = async (attempt: AttemptRun, change: Partial<Wish>) =>
  expect(await start(change)).toEqual({ kind: 'running', attempt, joined: true });
const supersedes = async (attempt: AttemptRun, change: Partial<Wish>) => {
  const next = start(change);
  await engine.settle();
  expect(await attempt.outcome).toEqual({ kind: 'superseded', by: 'newer' });
  expect(await next).toMatchObject({ kind: 'running', joined: false });
};
/** What begins from here on comes no further than to ask for its lease. */
const stuck = () => {
  engine.leases.tryAcquire = () => ({ kind: 'busy' });
};
const forkAt = (forkSeq: number): BranchId => {
  const { sessionId, branchId: parentId } = session;
  return engine.write((tx) => insertFork(tx, { sessionId, parentId, forkSeq, now: 1 }));
};
const A_TURN = 1 as TurnId;
const phase = (attempt: AttemptRun) => attempt.state.phase.at;
const authors = () => engine.shown(session.branchId).map(({ author }) => author);

describe('a wish that joins', () => {
  test.each<[Need, Need, Need]>([
    ['ahead', 'pressure', 'pressure'],
    ['ahead', 'must', 'must'],
    ['pressure', 'must', 'must'],
    ['pressure', 'ahead', 'pressure'],
    ['must', 'pressure', 'must'],
    ['must', 'ahead', 'must'],
    ['manual', 'must', 'manual'],
    ['manual', 'pressure', 'manual'],
  ])('%s, joined by %s, is %s', async (first, second, both) => {
    stuck();
    const attempt = await begin({ need: first });
    await join(attempt, { need: second });
    expect(attempt.need).toBe(both);
  });

  test('brings the strategies with it that a stronger need has', async () => {
    const attempt = await engine.attempt(session, 'pressure');
    await join(attempt, { need: 'must' });
    engine.host.last.dieOfTimeout();
    await engine.settle();
    expect((await attempt.outcome).kind).toBe('committed');
    expect(authors()).toEqual(['extract']);
  });

  test('of the same need takes none away', async () => {
    const attempt = await engine.attempt(session, 'must');
    engine.extractAllowed = false;
    await join(attempt, { need: 'must' });
    engine.host.last.dieOfTimeout();
    await engine.settle();
    expect((await attempt.outcome).kind).toBe('committed');
    expect(authors()).toEqual(['extract']);
  });
});

describe('what a person began', () => {
  test('is joined by a turn whose strategies it has', async () => {
    stuck();
    await join(await begin({ need: 'manual' }), { need: 'must' });
  });
  test('is superseded by a turn that needs one strategy more', async () => {
    stuck();
    await supersedes(await begin({ need: 'manual', chosen: ['prune', 'summarize'] }), { need: 'must' });
  });
  test('of a chosen range is superseded by a turn that must: the rest is not in it', async () => {
    engine.setReview(session.sessionId, true); // the turn has no strategy that this one has not
    stuck();
    const range = { from: 1, to: 20 };
    const attempt = await begin({ need: 'manual', range });
    expect(attempt.spec.row).toEqual(['summarize', 'extract']); // who chose a range wants to read of it
    await supersedes(attempt, { need: 'must' });
  });

  describe('to save a proposal', () => {
    const accept = async () => {
      engine.setReview(session.sessionId, true);
      await engine.attempt(session, 'manual', ['extract']);
      const accepts = engine.proposal(session.sessionId)?.id ?? null;
      stuck();
      return begin({ need: 'manual', trigger: 'accept', chosen: [], accepts });
    };
    test('asks for no strategy, and is joined by a turn on its path', async () => {
      const attempt = await accept();
      expect(attempt.spec).toMatchObject({ row: [], noModel: null });
      await join(attempt, { need: 'must' });
    });
    test('is superseded by a turn on another path, that must', async () => {
      await supersedes(await accept(), { need: 'must', branchId: forkAt(60) });
    });
  });
});

describe('on another path', () => {
  test('a wish joins what covers only messages of both', async () => {
    const attempt = await engine.attempt(session, 'pressure');
    await join(attempt, { branchId: forkAt(attempt.candidate.cutoff ?? 0) });
  });
  test('a wish supersedes what covers messages of its own path alone', async () => {
    const attempt = await engine.attempt(session, 'pressure');
    await supersedes(attempt, { branchId: forkAt((attempt.candidate.cutoff ?? 0) - 1) });
  });
  test('a wish supersedes what has not planned yet', async () => {
    stuck();
    await supersedes(await begin({}), { branchId: forkAt(79) });
  });
});

describe('with every summarizer at work', () => {
  const DEFERRED = { kind: 'deferred', why: { kind: 'model-busy' } };
  const ends = async (attempt: AttemptRun) => {
    await engine.settle();
    expect(phase(attempt), engine.log.join('; ')).toBe('ended');
    return attempt.outcome;
  };
  const full = (need: Need) => {
    engine.host.refusal = { refused: 'no-slot' };
    return begin({ need });
  };

  test('what is made ahead of need does not wait', async () => {
    const attempt = await full('ahead');
    await engine.pass(1);
    expect(await ends(attempt)).toEqual(DEFERRED);
  });
  test.each<['pressure' | 'must', string]>([
    ['pressure', 'deferred'],
    ['must', 'committed'],
  ])('a turn waits two seconds (%s), then it is %s', async (need, outcome) => {
    const attempt = await full(need);
    await engine.pass(1_999, 1_999);
    expect(phase(attempt)).toBe('waiting');
    await engine.pass(1);
    expect((await ends(attempt)).kind).toBe(outcome);
    expect(authors()).toEqual(need === 'must' ? ['extract'] : []);
  });
  test('a turn that must waits two seconds for what a person began, and takes what needs no model', async () => {
    const attempt = await full('manual');
    await engine.pass(10_000, 1_000);
    await join(attempt, { need: 'must', turnId: A_TURN });
    await engine.pass(1_999, 1_999);
    expect(phase(attempt)).toBe('waiting');
    await engine.pass(1);
    expect((await ends(attempt)).kind).toBe('committed');
    expect(authors()).toEqual(['extract']);
  });
  test.each<[string, Partial<Wish>]>([
    ['a turn that fits', { need: 'pressure', turnId: A_TURN }],
    ['what no turn waits for', { need: 'must', turnId: null }],
  ])('%s does not end the wait of a person', async (_name, wish) => {
    const attempt = await full('manual');
    await join(attempt, wish);
    await engine.pass(10_000, 1_000);
    expect(phase(attempt)).toBe('waiting');
  });

  test('the first who waits has the one that comes free, the next waits on', async () => {
    const sessions = [1, 2, 3, 4].map(() => engine.session(40, 800));
    const [one, two, next, last] = await Promise.all(sessions.map((at) => engine.attempt(at, 'manual', ['summarize'])));
    if (!one || !two || !next || !last) throw new Error('not begun');
    one.cancel('user');
    await engine.settle();
    expect([phase(two), phase(next), phase(last)]).toEqual(['summarizing', 'summarizing', 'waiting']);
    two.cancel('user');
    await engine.settle();
    expect(phase(last)).toBe('summarizing');
  });
});
