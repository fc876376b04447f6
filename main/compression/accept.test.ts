import { expect, test } from 'vitest';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';

let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made) => {
  engine = made;
  session = engine.session(20, 800);
  engine.setReview(session.sessionId, true);
});

const propose = async (): Promise<SummaryId> => {
  const attempt = await engine.attempt(session, 'manual', ['summarize']);
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

test('I4 an accepted proposal clears no backoff that its model has earned since it was written', async () => {
  const id = await propose();
  const { stream, id: failed } = await stalls();
  stream.exit();
  await engine.settle();
  await engine.review.accept(session.sessionId, id);
  expect(engine.shown(session.branchId)).toMatchObject([{ id }]);
  expect(backoff()).toMatchObject({ kind: 'stalled', attemptId: failed });
});
