import { describe, expect, test } from 'vitest';
import type { Need, Receipt, SummaryAuthor } from '../../shared/model/compression';
import type { BranchId, SessionId, SummaryId } from '../../shared/model/ids';
import { attemptsOf, insertAttempt } from '../db/attempts-table';
import { run, type WriteTx } from '../db/database';
import { changeSummaryState, getSummary, insertSummary } from '../db/summaries-table';
import { eachEngine } from '../testing/each-engine';
import type { Engine } from '../testing/engine';
import { type Accepted, type Commit, commitSummary, type Snapshot } from './commit';

let engine: Engine;
let session: { sessionId: SessionId; branchId: BranchId };
eachEngine((made) => {
  engine = made;
  session = engine.session(20); // messages 1 to 40
});

const RECEIPT: Receipt = { kept: 0, restored: 0, dropped: 0, anchors: [], struckLines: 0, aboveTarget: false };
const TEXT: Accepted = {
  ...{ strategy: 'extract', model: null, text: 'short', sections: [], stubs: null, receipt: RECEIPT },
  ...{ tokensBefore: 100, tokensAfter: 10 },
};
const begun = (need: Need) => {
  const columns = { ...session, turnId: null, need, trigger: 'hard-mark', instanceId: engine.me, now: 1 } as const;
  return engine.write((tx) => insertAttempt(tx, columns));
};
const summary = (
  from: number,
  to: number,
  author: SummaryAuthor = 'model',
  state: 'active' | 'proposed' = 'active',
) => {
  const by = author === 'user' ? { attemptId: null, epoch: null } : { attemptId: begun('pressure'), epoch: 1 };
  return engine.write((tx) =>
    insertSummary(tx, {
      ...{ ...session, ...by, coversFrom: from, coversTo: to, author, state, kind: 'text', stubs: null, text: 'short' },
      ...{ parentId: null, strategy: null, model: null, sections: [], receipt: RECEIPT },
      ...{ tokensBefore: 100, tokensAfter: 10, now: 1 },
    }),
  );
};
const undoLast = () => {
  const last = engine.shown(session.branchId).at(-1);
  engine.write((tx) => last && changeSummaryState(tx, last.id, { from: 'active', to: 'undone', now: 1 }));
};
const bin = (seq: number) =>
  engine.write((tx) =>
    run(tx, 'UPDATE messages SET deleted_at = 1 WHERE branch_id = :branchId AND seq = :seq', {
      branchId: session.branchId,
      seq,
    }),
  );

/** The commit of an attempt that planned messages 1 to 30. */
const commit = (change: { snapshot?: Partial<Snapshot>; accepted?: Partial<Accepted>; need?: Need } = {}) => {
  const need = change.need ?? 'pressure';
  const attemptId = begun(need);
  const got = engine.leases.tryAcquire({ session: session.sessionId, kind: 'compression' }, attemptId, () => {});
  if (got.kind !== 'acquired') throw new Error(got.kind);
  const planned = { ...session, from: 1, cutoff: 30, base: null, shown: [], binned: 0 };
  const whole: Commit = {
    ...{ attemptId, lease: got.lease, need, release: true, now: 1, progress: () => {} },
    snapshot: { ...planned, tokensShown: 100, tokensInView: 1_000, ...change.snapshot },
    accepted: { ...TEXT, ...change.accepted },
  };
  return engine.write((tx: WriteTx) => commitSummary(tx, whole));
};
const stored = (change: Parameters<typeof commit>[0] = {}) => {
  const done = commit(change);
  if (done.kind !== 'committed') throw new Error(JSON.stringify(done));
  return getSummary(engine.db, done.outcome.summaryId);
};

describe('what changed since the planning refuses the commit, and is named', () => {
  const none = (): SummaryId[] => [];
  test.each<[string, () => SummaryId[], () => unknown, string]>([
    ['a message of the range went into the bin', none, () => bin(30), 'bin'],
    ['a summary was made', none, () => summary(1, 10), 'newer'],
    ['the user edited a summary', () => [summary(1, 10)], () => summary(1, 10, 'user'), 'edit'],
    ['of two new ones one is by the user', none, () => [summary(1, 10), summary(11, 20, 'user')], 'edit'],
    ['a summary was undone', () => [summary(1, 10)], () => undoLast(), 'undo'],
    [
      'the older one shows again that it hid',
      () => [summary(1, 10, 'user'), summary(1, 20)].slice(1),
      () => undoLast(),
      'undo',
    ],
    ['one of two was undone', () => [summary(1, 10), summary(11, 20)], () => undoLast(), 'undo'],
  ])('%s', (_name, plan, happens, by) => {
    const shown = plan();
    happens();
    const before = engine.shown(session.branchId);
    expect(commit({ snapshot: { shown } })).toEqual({ kind: 'base-changed', by });
    expect(engine.shown(session.branchId)).toEqual(before);
    expect(attemptsOf(engine.db, session.sessionId, 1)[0]?.outcome).toBeNull();
  });

  test('what changed outside the range does not, nor does what was in the bin at the planning', () => {
    bin(5);
    bin(31);
    summary(31, 35, 'user');
    expect(commit({ snapshot: { binned: 1 } }).kind).toBe('committed');
  });
});

describe('a proposal that waits', () => {
  test.each<[string, Need, boolean, string]>([
    ['stays beside a summary that is used at once and that a request could do without', 'pressure', false, 'proposed'],
    ['makes way for the one without which a request does not fit', 'must', false, 'stale'],
    ['makes way for a newer proposal', 'pressure', true, 'stale'],
  ])('%s', (_name, need, review, state) => {
    const waiting = summary(1, 10, 'model', 'proposed');
    engine.setReview(session.sessionId, review);
    expect(commit({ need }).kind).toBe('committed');
    expect(getSummary(engine.db, waiting)?.state).toBe(state);
  });

  test('says what it was planned on; what is used at once does not', () => {
    expect(stored()?.receipt).toEqual(RECEIPT);
    engine.setReview(session.sessionId, true);
    const planned = { branchId: session.branchId, binned: 0, tokensShown: 100, tokensInView: 1_000 };
    const shown = engine.shown(session.branchId).map(({ id }) => id);
    expect(stored({ snapshot: { shown } })).toMatchObject({
      state: 'proposed',
      receipt: { ...RECEIPT, plannedOn: { ...planned, shown } },
    });
  });
});

test('lines in the place of messages cover from the first of them to the last, and stand on no summary', () => {
  const base = summary(1, 4);
  const stubs = [7, 9, 12].map((seq) => ({ seq, text: 'a line' }));
  const row = stored({ snapshot: { base, shown: [base] }, accepted: { strategy: 'prune', text: '', stubs } });
  expect(row).toMatchObject({ kind: 'stubs', coversFrom: 7, coversTo: 12, parentId: null, state: 'active' });
});
