/** What the user's word on a summary that waits comes to where something is in its way, and on what it stands. */
import { describe, expect, test } from 'vitest';
import { AppError } from '../../shared/errors';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { insertFork } from '../db/branches-table';
import { run } from '../db/database';
import { openForWriting } from '../db/open';
import { changeSummaryState, getSummary } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import type { TempProfile } from '../testing/profile';
import { COMMIT_WAIT } from './policy';

let profile: TempProfile;
let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made, at) => {
  engine = made;
  profile = at;
  session = engine.session(20, 800);
  engine.setReview(session.sessionId, true);
});

const propose = async (at = session): Promise<SummaryId> => {
  const attempt = await engine.attempt(at, 'manual', ['extract']);
  const outcome = await attempt.outcome;
  if (outcome.kind !== 'proposed') throw new Error(JSON.stringify(outcome));
  return outcome.summaryId;
};
const state = (id: SummaryId) => getSummary(engine.db, id)?.state;
const last = () => engine.attempts(session.sessionId)[0];
const accept = (id: SummaryId) => engine.review.accept(session.sessionId, id);
const edit = (id: SummaryId) => engine.review.edit(session.sessionId, id, '## Goal\n- As I say it.');
const reject = (id: SummaryId) => engine.review.reject(session.sessionId, id);
/** What the one who clicked is told: a refusal by its code. */
const told = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

describe('what keeps an accepted summary from being used leaves it waiting, and is told by its name', () => {
  test('the app is about to end', async () => {
    const id = await propose();
    await engine.coordinator.quit();
    expect(await told(accept(id))).toBe('busy');
    expect(state(id)).toBe('proposed');
  });

  test('an attempt of this window has not let go of the lease', async () => {
    const id = await propose();
    engine.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 999, () => {});
    expect(await told(accept(id))).toBe('busy');
    expect(last()?.outcome).toEqual({ kind: 'deferred', why: { kind: 'worker-exiting' } });
    expect(state(id)).toBe('proposed');
  });

  test.each([
    ['before it has its lease', () => last()?.trigger === 'accept'],
    ['when it is to be saved', () => engine.lease(session.sessionId).instanceId === engine.me],
  ])('the database stays busy, from %s on', async (_when, now) => {
    const id = await propose();
    const other = openForWriting(profile.database);
    engine.seam.onWrite(() => {
      if (!other.inTransaction && now()) other.exec('BEGIN IMMEDIATE');
    });
    const answer = told(accept(id));
    await engine.settle();
    expect(other.inTransaction).toBe(true);
    engine.clock.advance(COMMIT_WAIT.totalMs + 1_000);
    engine.seam.onWrite(() => {});
    other.exec('ROLLBACK');
    await engine.pass(2_000);
    expect(await answer).toBe('busy');
    other.close();
    expect(last()?.outcome).toEqual({ kind: 'failed', failure: 'commit-failed' });
    expect(state(id)).toBe('proposed');
  });

  test('the user stops it', async () => {
    const id = await propose();
    const other = openForWriting(profile.database);
    engine.seam.onWrite(() => {
      if (!other.inTransaction && last()?.trigger === 'accept') other.exec('BEGIN IMMEDIATE');
    });
    const answer = told(accept(id));
    await engine.settle();
    engine.coordinator.cancel(session.sessionId, null, 'user');
    engine.seam.onWrite(() => {});
    other.exec('ROLLBACK');
    await engine.pass(1_000);
    expect(await answer).toBe('already-ended');
    other.close();
    expect(state(id)).toBe('proposed');
  });
});

test('one of which nobody knows on what it was planned is refused, and waits no more', async () => {
  const id = await propose();
  const forget = "UPDATE summaries SET receipt = json_remove(receipt, '$.plannedOn') WHERE id = :id";
  engine.write((tx) => run(tx, forget, { id }));
  expect(await told(accept(id))).toBe('summary-outdated');
  expect(state(id)).toBe('stale');
});

test('one is accepted on the path on which it was made, though all that it covers lies on the one before', async () => {
  const { sessionId, branchId: parentId } = session;
  const branchId = engine.write((tx) => insertFork(tx, { sessionId, parentId, forkSeq: 36, now: 1 }));
  engine.fill(sessionId, branchId, 2, 800);
  const id = await propose({ sessionId, branchId });
  expect(getSummary(engine.db, id)).toMatchObject({ branchId: parentId });
  await accept(id);
  expect(last()).toMatchObject({ trigger: 'accept', branchId, outcome: { kind: 'committed' } });
});

describe('one that was decided on meanwhile stays as it is', () => {
  test('rejected while this window waits for the database', async () => {
    const id = await propose();
    const other = openForWriting(profile.database);
    other.exec(`BEGIN IMMEDIATE; UPDATE summaries SET state = 'active' WHERE id = ${id}`);
    const answer = told(reject(id));
    other.exec('COMMIT');
    other.close();
    await engine.pass(1_000);
    expect(await answer).toBe('already-ended');
    expect(state(id)).toBe('active');
  });

  test('edited while another window rejects it', async () => {
    const id = await propose();
    const answer = told(edit(id));
    const change = { from: 'proposed', to: 'rejected', now: 1 } as const;
    engine.write((tx) => changeSummaryState(tx, id, change));
    expect(await answer).toBe('already-ended');
    expect(state(id)).toBe('rejected');
    expect(engine.proposal(session.sessionId)).toBeNull();
  });
});

test.each([
  ['rejected', reject],
  ['edited', edit],
])('that one is %s is on disk when it is told', async (_name, ask) => {
  const FULL = 2;
  const synchronous = () => engine.db.pragma('synchronous', { simple: true });
  const id = await propose();
  engine.write(() => {});
  expect(synchronous()).not.toBe(FULL);
  await ask(id);
  expect(synchronous()).toBe(FULL);
});

describe('an edited one is counted', () => {
  const counted = async (): Promise<number> => {
    const edited = await edit(await propose());
    return getSummary(engine.db, edited)?.tokensBefore ?? 0;
  };

  test('as the model of its chat counts', async () => {
    const usual = await counted();
    const { rates } = engine.models.facts();
    engine.models.change({ rates: { ...rates, ascii: rates.ascii * 2 } });
    expect(await counted()).toBeGreaterThan(usual * 1.8);
  });

  test('as most models count, where its chat has none any more', async () => {
    const id = await propose();
    Object.assign(engine.models, { facts: () => null });
    const edited = await edit(id);
    expect(getSummary(engine.db, edited)).toMatchObject({ state: 'proposed', author: 'user' });
  });
});
