import { describe, expect, test } from 'vitest';
import type { Strategy } from '../../shared/model/compression';
import type { AttemptId, BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { run } from '../db/database';
import { getSummary } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { acceptedProposal, acceptProposal } from './accept';

let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made) => {
  engine = made;
  session = engine.session(20, 800);
  engine.setReview(session.sessionId, true);
});

const propose = async (strategy: Strategy = 'summarize'): Promise<SummaryId> => {
  const attempt = await engine.attempt(session, 'manual', [strategy]);
  await engine.answerAll();
  const outcome = await attempt.outcome;
  if (outcome.kind !== 'proposed') throw new Error(JSON.stringify(outcome));
  return outcome.summaryId;
};
const backoff = () => engine.backoff(session.sessionId);
/** An attempt whose model falls silent and hears nothing; its stream. */
const stalls = async () => {
  engine.fill(session.sessionId, session.branchId, 20, 800); // more than what is paid for already
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
  const stream = engine.host.last;
  stream.onCancel = 'ignore';
  stream.onKill = 'never';
  await engine.pass(30_000, 30_000);
  expect(await attempt.outcome).toEqual({ kind: 'failed', failure: 'stalled' });
  return { stream, id: attempt.spec.id };
};
/** An attempt whose model dies. */
const dies = async () => {
  await engine.attempt(session, 'manual', ['summarize']);
  engine.host.last.exit(1);
  await engine.settle();
  expect(backoff()).toMatchObject({ kind: 'died' });
};

describe('the backoff of a strategy, once its proposal is accepted', () => {
  test('is cleared where its model wrote the proposal after that failure, and not by the proposal itself', async () => {
    await dies();
    const id = await propose();
    expect(backoff()).toMatchObject({ kind: 'died' });
    await engine.review.accept(session.sessionId, id);
    expect(backoff()).toBeNull();
  });

  test('I4 stays where its model has failed since', async () => {
    const id = await propose();
    const { stream, id: failed } = await stalls();
    stream.exit();
    await engine.settle();
    await engine.review.accept(session.sessionId, id);
    expect(engine.shown(session.branchId)).toMatchObject([{ id }]);
    expect(backoff()).toMatchObject({ kind: 'stalled', attemptId: failed });
  });

  test('stays where no model wrote the proposal', async () => {
    await dies();
    await engine.review.accept(session.sessionId, await propose('extract'));
    expect(backoff()).toMatchObject({ kind: 'died' });
  });

  test('stays where the text is the user’s own', async () => {
    await dies();
    const edited = await engine.review.edit(session.sessionId, await propose(), '## Goal\n- As I say it.');
    await engine.review.accept(session.sessionId, edited);
    expect(backoff()).toMatchObject({ kind: 'died' });
  });
});

test('accepted while a silent worker is not proved stopped, it is used, and the lease stays until that proof', async () => {
  const id = await propose();
  const { stream } = await stalls();
  const lease = () => engine.lease(session.sessionId).instanceId;
  await engine.review.accept(session.sessionId, id);
  expect(engine.shown(session.branchId)).toMatchObject([{ id }]);
  expect(lease()).toBe(engine.me);
  stream.exit();
  await engine.settle();
  expect(lease()).toBeNull();
});

describe('what is not there to be accepted any more is refused as replaced by something newer', () => {
  const accept = (id: SummaryId) => {
    const got = engine.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, 999, () => {});
    if (got.kind !== 'acquired') throw new Error(got.kind);
    const common = { attemptId: 999 as AttemptId, release: true, now: engine.clock.wall(), progress: () => {} };
    return engine.write((tx) => acceptProposal(tx, { ...common, lease: got.lease, proposal: id }));
  };
  const change = (id: SummaryId, set: string) =>
    engine.write((tx) => run(tx, `UPDATE summaries SET ${set} WHERE id = :id`, { id }));
  const refused = { kind: 'base-changed', by: 'newer' };

  test('gone', () => {
    expect(accept(12345 as SummaryId)).toEqual(refused);
  });
  test.each([
    ['rejected in another window', "state = 'rejected'"],
    ['without a receipt', 'receipt = NULL'],
    ['without what it was planned on', "receipt = json_remove(receipt, '$.plannedOn')"],
  ])('%s', async (_name, set) => {
    const id = await propose();
    change(id, set);
    const before = getSummary(engine.db, id);
    expect(accept(id)).toEqual(refused);
    expect(getSummary(engine.db, id)).toEqual(before);
  });
});

describe('the proposal as the candidate of the attempt that saves it', () => {
  test('has its own sizes and text, and says how it was made', async () => {
    const row = getSummary(engine.db, await propose());
    if (!row) throw new Error('nothing was proposed');
    const { model, text, sections, receipt, tokensBefore, tokensAfter } = row;
    const same = { model, text, sections, receipt, tokensBefore, tokensAfter, stubs: null };
    expect(acceptedProposal(row)).toEqual({ ...same, strategy: 'summarize' });
    expect(acceptedProposal({ ...row, strategy: null, author: 'user' })?.strategy).toBe('extract');
    expect(acceptedProposal({ ...row, receipt: null })).toBeNull();
  });
  test('is none where the proposal is gone', () => {
    expect(acceptedProposal(null)).toBeNull();
  });
});
